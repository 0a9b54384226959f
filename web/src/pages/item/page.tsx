import type { ItemType, ShapeType } from 'portico/types';
import { get } from '../../api/client.ts';
import { Copy } from '../../kit/copy.tsx';
import { RefusalNote } from '../../kit/empty.tsx';
import { useLoad } from '../../kit/load.ts';
import { Skeleton } from '../../kit/skeleton.tsx';
import { Table } from '../../kit/table.tsx';
import { Link, type PageProps } from '../../router.tsx';
import { language, t } from '../../texts/index.ts';
import { fieldOf, useFields } from '../library/fields.ts';
import { playable } from '../library/panel.tsx';
import { ownPath, valuesOf } from '../library/results.ts';
import { Picture, shown } from '../library/tile.tsx';
import { Player } from './player.tsx';
import './page.css';

const columns = () => [
  { id: 'id', title: t('item.shape'), cell: ({ id }: ShapeType) => id },
  { id: 'tag', title: t('item.tag'), cell: ({ tag }: ShapeType) => tag?.join(', ') },
  { id: 'type', title: t('item.type'), cell: ({ mimeType }: ShapeType) => mimeType?.join(', ') },
];

const content = { content: 'metadata,shape,poster,thumbnail', terse: true, 'noauth-url': true, interval: 'generic' };

export default function Page({ params }: PageProps) {
  const id = params['id']!;
  const fields = useFields();
  const { value: item, refusal } = useLoad(id, (signal) =>
    get<ItemType>(`/item/${encodeURIComponent(id)}`, { query: content, signal }),
  );
  if (refusal && !item) return <RefusalNote error={refusal} />;
  if (!item || !fields) return <Skeleton rows={8} />;
  const values = valuesOf(item);
  const shapes = item.shape ?? [];
  const film = playable(shapes);
  const still = item.posters?.uri?.[0] ?? item.thumbnails?.uri?.[0];
  const picture = still === undefined ? undefined : ownPath(still);
  return (
    <div class="page item">
      <p class="page-back">
        <Link to="/">{t('nav.library')}</Link>
      </p>
      <header class="page-head">
        <h1>{values['title']?.[0] ?? id}</h1>
        <Copy text={id} label={t('item.copyId')} />
      </header>
      {film ? (
        <Player key={id} src={film.path(id)} isSound={film.isSound} poster={picture} shape={film.shape} />
      ) : (
        <div class="picture large">
          <Picture path={picture} kind={values['mediaType']?.[0] ?? 'none'} />
        </div>
      )}
      <section>
        <h2>{t('item.metadata')}</h2>
        <dl>
          {Object.entries(values).map(([name, texts]) => {
            const { label, type } = fieldOf(fields, name);
            return (
              <div key={name}>
                <dt>{label}</dt>
                <dd>{shown(name, type, texts, language.value)}</dd>
              </div>
            );
          })}
        </dl>
      </section>
      {shapes.length > 0 && (
        <section>
          <h2>{t('item.shapes')}</h2>
          <Table label={t('item.shapes')} columns={columns()} rows={shapes} keyOf={({ id: shape }) => shape ?? ''} />
        </section>
      )}
    </div>
  );
}
