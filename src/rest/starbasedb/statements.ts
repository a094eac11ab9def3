/** What makes statements of requests: the part of this profile that is loaded with the first of them. */
export { planStatement } from "./plan-statement.ts";
export { respondToStatement } from "./respond.ts";
