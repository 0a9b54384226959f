import { t } from '../texts/index.ts';

/** The shape of what comes, after a moment. */
export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={t('word.loading')}>
      {Array.from({ length: rows }, (_row, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
