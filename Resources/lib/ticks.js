/** The multiples of a step from one number to another, for the ticks of an axis. */
export function multiples(step, from, to) {
  const numbers = [];
  for (let index = Math.ceil(from / step); index * step <= to; index += 1) numbers.push(Number((index * step).toPrecision(12)));
  return numbers;
}
