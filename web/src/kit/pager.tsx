import { setQuery } from '../router.tsx';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';

/** Pages of a list, which the address keeps. Nothing where all fits on one. */
export function Pager({ page, size, hits }: { page: number; size: number; hits: number }) {
  const pages = Math.ceil(hits / size);
  if (pages <= 1) return null;
  const to = (next: number) => setQuery({ page: next <= 1 ? undefined : String(next) }, { replace: false });
  return (
    <nav class="pager" aria-label={t('pager.title')}>
      <Button disabled={page <= 1} onClick={() => to(page - 1)}>
        {t('pager.before')}
      </Button>
      <span>{t('pager.where', { page, pages, hits })}</span>
      <Button disabled={page >= pages} onClick={() => to(page + 1)}>
        {t('pager.after')}
      </Button>
    </nav>
  );
}
