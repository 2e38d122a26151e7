/** A document of the server that is loaded again when readings state another revision of it. */

import { embedded } from "./elements.js";
import { fetchJSON } from "./requests.js";

export class Revisioned {
  /** The revision that was requested last; null if there is none, or it could not be loaded. */
  revision = null;
  #path;
  #show;
  /** Requests are numbered, because their answers may overtake each other. */
  #requests = 0;
  #shown = 0;

  /**
   * @param {string} path
   * @param {(document: any) => void} show gets each document that is newer than the last one.
   */
  constructor(path, show) {
    this.#path = path;
    this.#show = show;
  }

  /** Shows the document that came with the page, if it did. The reading that came with it states its revision by the same name. */
  begin(name) {
    const document = embedded(name);
    if (!document) return;
    this.revision = embedded("reading")?.revisions?.[name] ?? null;
    this.#show(document);
  }

  /** Loads the document if a reading states another revision. A page need not get every revision. */
  follow(revision) {
    if (revision !== undefined && revision !== this.revision) this.load(revision);
  }

  async load(revision = this.revision) {
    this.revision = revision;
    this.#requests += 1;
    const request = this.#requests;
    try {
      const document = await fetchJSON(this.#path);
      if (request < this.#shown) return;
      this.#shown = request;
      this.#show(document);
    } catch {
      // The next reading tries again.
      this.revision = null;
    }
  }
}
