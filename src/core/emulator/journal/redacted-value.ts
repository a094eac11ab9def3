/** What is shown instead of a key, a token or a password. */
export const redactedValue = "***";
