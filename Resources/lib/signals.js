/**
 * State, what follows from it, and what happens when it changes, with the semantics that Preact's signals and TC39's proposal
 * share.
 *
 * A computed value and an effect depend on the values that they read when they last ran. A computed value is computed again when
 * it is read, if one of those has changed. An effect runs again at the end of a change, if one of those has changed.
 */

/** The number of changes so far. */
let changes = 0;
/**
 * The computed value or the effect that runs now.
 * @type {Value | null}
 */
let reader = null;
/** All effects, in the order in which they run. They last as long as the page. */
const effects = [];
/** What effects have thrown. */
const problems = [];
let isChanging = false;

class Value {
  #value;
  /** What was thrown instead of a value, in an array; null if nothing was. */
  #thrown = null;
  #compute;
  #isSame;
  /** The number of changes of this value. */
  #version = 0;
  /** The number of all changes when this value was last brought up to date. */
  #checkedAt = -1;
  /** The versions of what was read; null before the first run. */
  #sources = null;

  constructor(value, compute = null, isSame = Object.is) {
    this.#value = value;
    this.#compute = compute;
    this.#isSame = isSame;
  }

  get value() {
    this.update();
    if (reader) reader.#sources.set(this, this.#version);
    if (this.#thrown) throw this.#thrown[0];
    return this.#value;
  }

  set value(value) {
    batch(() => {
      if (this.#replace(value)) changes += 1;
    });
  }

  /** Computes the value, or runs the effect, if something that it depends on has changed. */
  update() {
    if (!this.#compute || this.#checkedAt === changes) return;
    this.#checkedAt = changes;
    if (!this.#isOutdated) return;
    this.#sources = new Map();
    try {
      this.#replace(readBy(this, this.#compute));
    } catch (problem) {
      this.#thrown = [problem];
      this.#version += 1;
    }
  }

  get #isOutdated() {
    // In the order of reading: whether a later source is still read may depend on an earlier one.
    for (const [source, version] of this.#sources ?? []) {
      source.update();
      if (source.#version !== version) return true;
    }
    return this.#sources === null;
  }

  /** Returns whether the value is another one. */
  #replace(value) {
    if (!this.#thrown && this.#isSame(value, this.#value)) return false;
    this.#value = value;
    this.#thrown = null;
    this.#version += 1;
    return true;
  }
}

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
 * @param {(one: T, other: T) => boolean} [isSame] whether setting a value changes nothing.
 * @returns {{ value: T }}
 */
export function signal(value, isSame) {
  return new Value(value, null, isSame);
}

/**
 * A value that follows from others.
 * @template T
 * @param {() => T} compute
 * @param {(one: T, other: T) => boolean} [isSame]
 * @returns {{ readonly value: T }}
 */
export function computed(compute, isSame) {
  return new Value(undefined, compute, isSame);
}

/** Runs a job now, and again after changes of what it has read. If it fails, the other effects run all the same. */
export function effect(job) {
  const made = new Value(undefined, () => {
    try {
      job();
    } catch (problem) {
      problems.push(problem);
    }
  });
  effects.push(made);
  batch(() => made.update());
}

/** Runs a job that changes several values, and then the effects, which may change more. Reports the first problem of an effect. */
export function batch(job) {
  if (isChanging) return job();
  isChanging = true;
  try {
    job();
  } finally {
    for (let seen = -1; seen !== changes; ) {
      seen = changes;
      for (const one of effects) one.update();
    }
    isChanging = false;
  }
  if (problems.length > 0) throw problems.splice(0)[0];
}

/** Runs a job whose caller is not to depend on what it reads. */
export const untracked = (job) => readBy(null, job);

/** Whether two documents are the same, for values that are made anew each time. */
export const isSameJSON = (one, other) => JSON.stringify(one) === JSON.stringify(other);
