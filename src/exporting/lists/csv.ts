/** A line of CSV by RFC 4180. */
export const csvLine = (values: readonly string[]): string => `${values.map(csvValue).join(',')}\r\n`;

/** Text that spreadsheets would run as a formula. Numbers may begin with a sign. */
const formula = /^[=@\t\r]|^[+-](?![\d.]+$)/;

function csvValue(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
