/**
 * Lets other requests use shared tables while the answer to one waits for something else, which may take long. Resolves
 * when it is its turn again, with all writes until then. Rejects when the tables are unavailable.
 */
export type StepAside = <Value>(wait: () => Promise<Value>) => Promise<Value>;
