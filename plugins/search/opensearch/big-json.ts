/** A string, or a number. */
const parts = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const longWhole = /^-?\d{16,}$/;
const many = /[[:,]\s*-?\d{16}/;

/** Whole numbers beyond 53 bits become bigints: `JSON.parse` alone rounds them. */
export function parseJson(text: string): unknown {
  if (!many.test(text)) return JSON.parse(text);
  const mark = markFor(text);
  const marked = text.replace(parts, (part) => (longWhole.test(part) ? `"${mark}${part}"` : part));
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? numberOf(value.slice(mark.length)) : value,
  );
}

/** Mark that the text does not have. */
function markFor(text: string): string {
  let mark = 'int:';
  while (text.includes(mark)) mark = `${mark}:`;
  return mark;
}

function numberOf(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
