/** RFC 9110, section 5.1: a token. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: visible characters, spaces and tabs, and single bytes beyond ASCII. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isHeaderName(name: string): boolean {
  return headerName.test(name);
}

export function isHeaderValue(value: string): boolean {
  return headerValue.test(value);
}
