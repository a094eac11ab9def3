/** Leads to this machine too, and is no secure context: without TLS browsers trust the names of loopback only. */
export const insecureHost = "insecure.test";
