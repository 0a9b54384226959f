const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90m`, `6h`, `2d`: in milliseconds. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit]!;
}
