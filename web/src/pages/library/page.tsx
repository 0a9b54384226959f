import { Empty } from '../../kit/empty.tsx';
import { t } from '../../texts/index.ts';

export default function Page() {
  return (
    <div class="page">
      <h1>{t('library.title')}</h1>
      <Empty icon="library" text={t('library.soon')} />
    </div>
  );
}
