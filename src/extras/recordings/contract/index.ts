export { type ContractOptions, describeContract } from "./describe-contract.ts";
