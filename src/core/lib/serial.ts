const zero = 48;
const nine = 57;

/** Serial of an id: 90 for `VX-90`. 0 if the id ends with no digit. */
export function serialOf(id: string): number {
  let at = id.length;
  for (let code = id.charCodeAt(at - 1); code >= zero && code <= nine; code = id.charCodeAt(at - 1)) at--;
  return Number(id.slice(at));
}
