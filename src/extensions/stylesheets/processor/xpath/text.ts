/** Decimal digits without an exponent: metadata has frame numbers, where 1.0E6 would be unreadable. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return Object.is(value, -0) ? '0' : plain(value);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  // The last digits are where binary fractions differ from decimal ones.
  return plain(Number(value.toPrecision(15)));
}

function plain(value: number): string {
  const text = String(value);
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}
