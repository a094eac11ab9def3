// Loaded into every process of a command that the tutorial runs without a network: such a process fails when it opens a
// connection or a port.
import net from "node:net";

function refuse() {
  console.error("A connection or a port was opened, where there is no network.");
  process.exit(70);
}

net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
