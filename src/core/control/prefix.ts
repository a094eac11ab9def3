/** Below this path is the control API, on the server of the interfaces and on no other path of it. */
export const controlPrefix = "/__backlot";
