/** How settings are changed that all pages share. */

import { Throttle } from "../../lib/requests.js";
import { tryFetch } from "../messages.js";
import { addChangeCheck, update } from "../state.js";

const throttle = new Throttle();
addChangeCheck(() => throttle.isBusy);
let changes = null;

/** Changes some settings on the server soon. The newest change wins. */
export function changeSettings(values) {
  update(values);
  changes = { ...changes, ...values };
  throttle.push(async () => {
    const body = changes;
    changes = null;
    await tryFetch("api/settings", { method: "PUT", body });
  });
}
