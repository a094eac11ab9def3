/**
 * Marks the console's own requests, which the list of requests can leave out. No page of another origin can send it
 * without a preflight, which the control API refuses.
 */
export const consoleHeader = "x-backlot-console";
