/** Names of headers and parameters whose values open something, by any service's custom. */
const secret =
  /secret|passw(?:or)?d|passphrase|credential|token$|(?:^|_)(?:(?:proxy_)?authorization|authentication|o?auth|(?:set_)?cookie|bearer|jwt|pwd|sig|signature)$|(?:api|access|auth|private|subscription|functions|master|account|license)_?key$/;

/** Whether what has this name is a key, a token or a password, so that its value is not to be shown. */
export function isSecretName(name: string): boolean {
  return secret.test(name.toLowerCase().replaceAll(/[-. ]/g, "_"));
}

/** What is shown instead. */
export const redactedValue = "***";
