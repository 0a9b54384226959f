interface BarProps {
  readonly label: string;
  /** From 0 to 1. Undefined: it goes on, and nobody knows how far it is. */
  readonly value: number | undefined;
  readonly tone?: 'warn' | 'bad' | undefined;
}

/** Progress or usage. */
export function Bar({ label, value, tone }: BarProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      class={`meter ${percent === undefined ? 'unknown' : ''} ${tone ?? ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={percent === undefined ? undefined : { inlineSize: `${percent}%` }} />
    </span>
  );
}
