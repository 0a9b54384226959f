/** One line of CSV as RFC 4180 has it. */
export const csvLine = (values: readonly string[]): string => `${values.map(csvValue).join(',')}\r\n`;

/** A spreadsheet takes what begins so for a formula, and carries it out. Numbers may begin with a sign. */
const formula = /^[=@\t\r]|^[+-](?![\d.]+$)/;

function csvValue(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
