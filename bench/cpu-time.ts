/** CPU time: what the other processes of a machine take does not count, as it would in time on the clock. */

/** Microseconds of CPU that this process has used so far, its threads for garbage and compiling included. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
