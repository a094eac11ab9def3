// Loaded before a server's own script: tells whoever started it how much CPU time it has used.
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());
