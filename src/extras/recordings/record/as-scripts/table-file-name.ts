/** Whether a table can have a file of its own in a fixtures folder. */
export function canBeFileName(table: string): boolean {
  // Hidden files and notes are not read; some systems know no such names, or no long ones.
  const isUsual = /^[^\p{Cc}\\/:*?"<>|.][^\p{Cc}\\/:*?"<>|]{0,99}$/u.test(table);
  return isUsual && !/^readme/i.test(table) && !/[. ]$/.test(table);
}
