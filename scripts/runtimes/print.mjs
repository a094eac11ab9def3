// Prints the transcript in a runtime that finds packages as Node does.
import { transcript } from "./smoke.mjs";

console.log(JSON.stringify(await transcript()));
