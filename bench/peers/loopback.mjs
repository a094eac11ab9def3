// Loaded before a server's own script: those that cannot be told a host listen on 127.0.0.1 as well.
import { Server } from "node:net";

const { value: listen } = Object.getOwnPropertyDescriptor(Server.prototype, "listen");
Server.prototype.listen = function listenHere(port, ...rest) {
  const isTold = typeof port !== "number" || typeof rest[0] === "string";
  return listen.call(this, port, ...(isTold ? rest : ["127.0.0.1", ...rest]));
};
