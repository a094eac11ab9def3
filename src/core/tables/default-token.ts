/** The token of tables unless set otherwise. */
export const defaultToken = "local-token";
