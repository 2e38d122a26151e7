/**
 * State, what follows from it, and what happens when it changes, as in Preact's signals and TC39's proposal.
 *
 * A computed value or an effect depends on the values that it read when it last ran. A computed value is computed when it is
 * read and one of them has changed since. An effect runs again once a change is complete, unless all that it read is the same.
 */

/** Of a computed value or an effect: it is up to date; one of its sources may have changed; one has changed. */
const [current, suspect, outdated] = [0, 1, 2];

/** The computed value or the effect that runs now; null if what is read has no reader. */
let reader = null;
/** The effects that run once the change is complete. */
const due = new Set();
let isChanging = false;

class Value {
  /** The value, or what was thrown instead. */
  #value;
  #hasFailed = false;
  #compute;
  #isSame;
  #state;
  /** @type {Set<Value>} */
  #sources = new Set();
  /** @type {Set<Value>} */
  #readers = new Set();

  constructor(value, compute = null, isSame = Object.is) {
    this.#value = value;
    this.#compute = compute;
    this.#isSame = isSame;
    this.#state = compute ? outdated : current;
  }

  get value() {
    return this.read();
  }

  set value(value) {
    batch(() => this.#replace(value, false, (one) => one.#mark(outdated)));
  }

  read() {
    this.#update();
    if (reader) {
      reader.#sources.add(this);
      this.#readers.add(reader);
    }
    if (this.#hasFailed) throw this.#value;
    return this.#value;
  }

  #update() {
    // A source that has changed says so to its readers.
    for (const source of this.#sources) if (this.#state === suspect) source.#update();
    const isOutdated = this.#state === outdated;
    this.#state = current;
    if (!isOutdated) return;
    for (const source of this.#sources) source.#readers.delete(this);
    this.#sources.clear();
    const setOutdated = (one) => {
      one.#state = outdated;
    };
    try {
      this.#replace(readBy(this, this.#compute), false, setOutdated);
    } catch (problem) {
      this.#replace(problem, true, setOutdated);
    }
  }

  #replace(value, hasFailed, tell) {
    if (!hasFailed && !this.#hasFailed && this.#isSame(value, this.#value)) return;
    this.#value = value;
    this.#hasFailed = hasFailed;
    this.#readers.forEach(tell);
  }

  #mark(state) {
    const wasCurrent = this.#state === current;
    this.#state = Math.max(this.#state, state);
    if (!wasCurrent) return;
    if (this instanceof Effect) due.add(this);
    for (const one of this.#readers) one.#mark(suspect);
  }
}

class Effect extends Value {}

function readBy(value, job) {
  const outer = reader;
  reader = value;
  try {
    return job();
  } finally {
    reader = outer;
  }
}

/**
 * A value that can be set.
 * @template T
 * @param {T} value
 * @returns {{ value: T }}
 */
export function signal(value) {
  return new Value(value);
}

/**
 * A value that follows from others.
 * @template T
 * @param {() => T} compute
 * @param {(one: T, other: T) => boolean} [isSame] whether nothing has changed for those that depend on it.
 * @returns {{ readonly value: T }}
 */
export function computed(compute, isSame) {
  return new Value(undefined, compute, isSame);
}

/** Runs a job now, and again after changes of what it has read. */
export function effect(job) {
  new Effect(undefined, job).read();
}

/** Runs a job that changes several values, and then the effects: one change. If an effect fails, the others run all the same. */
export function batch(job) {
  if (isChanging) return job();
  isChanging = true;
  const problems = [];
  try {
    job();
  } finally {
    for (const one of due) {
      due.delete(one);
      try {
        one.read();
      } catch (problem) {
        problems.push(problem);
      }
    }
    isChanging = false;
  }
  if (problems.length > 0) throw problems[0];
}

/** Runs a job whose caller is not to depend on what it reads. */
export const untracked = (job) => readBy(null, job);

/** Whether two documents are the same, for computed values that are made anew each time. */
export const isSameJSON = (one, other) => JSON.stringify(one) === JSON.stringify(other);
