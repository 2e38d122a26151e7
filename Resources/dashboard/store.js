/** The state of a page, in one object. Listeners run once for each change. */
export class Store {
  #listeners = [];

  /** @param {any} state */
  constructor(state) {
    this.state = state;
  }

  /** Changes some values, and calls the listeners. */
  update(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.#listeners) listener(this.state);
  }

  /** @param {(state: any) => void} listener is called now, too. */
  follow(listener) {
    this.#listeners.push(listener);
    listener(this.state);
  }
}
