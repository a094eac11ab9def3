// Answers with the transcript in workerd, where nothing may run before there is a request.
import { transcript } from "./smoke.mjs";

export default {
  async fetch() {
    return Response.json(await transcript());
  },
};
