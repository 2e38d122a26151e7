/** Signals: what depends on what, and how often it runs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { batch, computed, effect, isSameJSON, signal, untracked } from "./Resources/lib/signals.js";

/** Records what a function returns in an effect. */
function recorded(read) {
  const values = [];
  effect(() => {
    values.push(read());
  });
  return values;
}

test("a signal can be set before it is read", () => {
  const count = signal(1);
  count.value = 2;
  assert.equal(count.value, 2);
});

test("an effect runs at once, and after each change", () => {
  const count = signal(1);
  const seen = recorded(() => count.value);
  count.value = 2;
  count.value = 3;
  assert.deepEqual(seen, [1, 2, 3]);
});

test("setting the same value is no change, also if it is not a number", () => {
  const count = signal(NaN);
  const seen = recorded(() => count.value);
  count.value = NaN;
  assert.equal(seen.length, 1);
});

test("changes in a batch are one, and are seen in it at once", () => {
  const [width, height] = [signal(1), signal(1)];
  const area = computed(() => width.value * height.value);
  const seen = recorded(() => area.value);
  batch(() => {
    width.value = 2;
    assert.equal(area.value, 2);
    batch(() => {
      height.value = 3;
    });
    assert.deepEqual(seen, [1]);
  });
  assert.deepEqual(seen, [1, 6]);
});

test("a computed value is computed only when it is read after a change", () => {
  const count = signal(1);
  let runs = 0;
  const double = computed(() => {
    runs += 1;
    return 2 * count.value;
  });
  assert.equal(runs, 0);
  assert.deepEqual([double.value, double.value, runs], [2, 2, 1]);
  count.value = 2;
  count.value = 3;
  assert.deepEqual([runs, double.value, runs], [1, 6, 2]);
});

test("an effect does not run if what it read turns out to be the same", () => {
  const count = signal(1);
  const isEven = computed(() => count.value % 2 === 0);
  const label = computed(() => (isEven.value ? "even" : "odd"));
  const seen = recorded(() => label.value);
  count.value = 3;
  count.value = 4;
  assert.deepEqual(seen, ["odd", "even"]);
});

test("an effect that depends on a signal by two ways runs once, and sees one state", () => {
  const count = signal(1);
  const [less, more] = [computed(() => count.value - 1), computed(() => count.value + 1)];
  const seen = recorded(() => `${less.value} ${count.value} ${more.value}`);
  count.value = 2;
  assert.deepEqual(seen, ["0 1 2", "1 2 3"]);
});

test("an effect depends only on what it read last", () => {
  const [isOn, count] = [signal(true), signal(1)];
  const seen = recorded(() => (isOn.value ? count.value : "off"));
  isOn.value = false;
  count.value = 2;
  isOn.value = true;
  assert.deepEqual(seen, [1, "off", 2]);
});

test("what is read untracked causes no run", () => {
  const [time, count] = [signal(0), signal(1)];
  const seen = recorded(() => [time.value, untracked(() => count.value)]);
  count.value = 2;
  time.value = 1;
  assert.deepEqual(seen, [[0, 1], [1, 2]]);
});

test("effects run in the order in which they were made", () => {
  const count = signal(1);
  const seen = [];
  const double = computed(() => 2 * count.value);
  for (const read of [() => double.value, () => count.value, () => double.value + count.value]) {
    effect(() => {
      seen.push(read());
    });
  }
  count.value = 2;
  count.value = 3;
  assert.deepEqual(seen, [2, 1, 3, 4, 2, 6, 6, 3, 9]);
});

test("an effect may change what it and others depend on", () => {
  const [count, limited] = [signal(1), signal(1)];
  const seen = recorded(() => limited.value);
  effect(() => {
    if (count.value > 3) count.value = 3;
    limited.value = count.value;
  });
  count.value = 5;
  assert.equal(count.value, 3);
  assert.deepEqual(seen, [1, 3]);
});

test("a computed value that is the same in JSON is no change", () => {
  const names = signal(["a", "b"]);
  const first = computed(() => names.value.slice(0, 1), isSameJSON);
  const seen = recorded(() => first.value);
  names.value = ["a", "c"];
  names.value = ["b", "c"];
  assert.deepEqual(seen, [["a"], ["b"]]);
});

test("if an effect fails, the others run, and the change reports the failure", () => {
  const count = signal(1);
  const seen = [];
  effect(() => {
    if (count.value === 2) throw new Error("no");
    seen.push(`first ${count.value}`);
  });
  effect(() => {
    seen.push(`second ${count.value}`);
  });
  assert.throws(() => {
    count.value = 2;
  }, /no/);
  count.value = 3;
  assert.deepEqual(seen, ["first 1", "second 1", "second 2", "first 3", "second 3"]);
});

test("a computed value that fails is computed again after a change, and so is what depends on it", () => {
  const count = signal(2);
  const half = computed(() => {
    if (count.value % 2) throw new Error("odd");
    return count.value / 2;
  });
  const seen = recorded(() => half.value);
  assert.throws(() => {
    count.value = 3;
  }, /odd/);
  count.value = 4;
  assert.deepEqual(seen, [1, 2]);
});
