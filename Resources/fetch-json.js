/**
 * Sends a request to the server and returns the JSON document of its response.
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} options the body is sent as JSON.
 * @returns {Promise<any>}
 * @throws {Error} with a sentence for the user.
 */
export async function fetchJSON(path, { method = "GET", body } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Error("Swatchcam cannot be reached");
  }
  let document;
  try {
    document = await response.json();
  } catch {
    throw new Error(`Swatchcam sent an unexpected response (status ${response.status})`);
  }
  if (!response.ok) throw new Error(document?.error?.message ?? `Swatchcam responded with status ${response.status}`);
  return document;
}
