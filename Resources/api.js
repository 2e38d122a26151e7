/**
 * Asks the server for something.
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} options the body is sent as JSON.
 * @returns {Promise<any>} the document of the answer.
 * @throws {Error} whose message is a sentence for the person.
 */
export async function ask(path, { method = "GET", body } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Error("Swatchcam cannot be reached");
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Error(`Swatchcam answered ${response.status}, and not as it should`);
  }
  if (!response.ok) throw new Error(answer?.error?.message ?? `Swatchcam answered ${response.status}`);
  return answer;
}
