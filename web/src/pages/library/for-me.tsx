import { signal } from '@preact/signals';
import type { WaitingListDocument, WaitingType } from 'portico/types';
import { useMemo } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { withNames } from '../../comments/comments.ts';
import { Empty } from '../../components/empty.tsx';
import { personName } from '../../components/person.tsx';
import { forMe } from '../../for-me.ts';
import { t } from '../../texts/index.ts';
import { Browser } from './browser.tsx';

/** Why items wait, by their ids. */
const reasons = signal<ReadonlyMap<string, WaitingType>>(new Map());
/** Items of one question. */
const batch = 100;

/** Reads why items wait. Without an answer their tiles say less. */
async function readReasons(ids: readonly string[]): Promise<void> {
  const pages = Array.from({ length: Math.ceil(ids.length / batch) }, (_, at) =>
    ids.slice(at * batch, (at + 1) * batch),
  );
  const answers = await Promise.all(
    pages.map((page) => get<WaitingListDocument>('/item/annotation/waiting', { query: { item: page.join() } })),
  );
  reasons.value = new Map(answers.flatMap(({ item = [] }) => item.map((each) => [each.id, each])));
}

/** Why an item waits, in words. */
function reasonOf(id: string): string | undefined {
  const { annotations = 0, annotation: { user = '', text } = {}, review } = reasons.value.get(id) ?? {};
  const comments =
    annotations === 1 && text
      ? t('library.asks', { name: personName(user), text: withNames(text, personName) })
      : annotations > 0 && t('library.commentsForMe', { count: annotations });
  const wished = review && t('library.asksReview', { name: personName(review.user ?? '') });
  return [comments, wished].filter(Boolean).join(' · ') || undefined;
}

/** Reviews and comments that wait for the person. */
export default function ForMePage() {
  const place = useMemo(() => ({ path: '/item', query: {}, within: forMe() }), []);
  return (
    <Browser
      place={place}
      base="/for-me"
      title={t('nav.forMe')}
      standardOrder={t('library.newest')}
      quiet
      reasons={{ read: readReasons, of: reasonOf }}
      empty={
        <Empty icon="check" text={t('library.nothingForMe')}>
          <p class="muted">{t('library.forMeNote')}</p>
        </Empty>
      }
    />
  );
}
