import type { EssenceVersionDocument, EssenceVersionListDocument, ItemType, ShapeType } from 'portico/types';
import { useMemo } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { createEngine } from '../../player/engine.ts';
import { countingOf, durationOf } from '../../player/frames.ts';
import { Player } from '../../player/player.tsx';
import { spansOf } from '../../player/spans.ts';
import { Timeline } from '../../player/timeline.tsx';
import { setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { playables } from './item.ts';
import { type Pair, type Property, pairOf, propertiesOf } from './versions.ts';

interface CompareProps {
  readonly item: ItemType;
  /** Ids of shapes. */
  readonly shapeIds: readonly string[];
  /** Seconds at which the films stand. */
  readonly at: number;
}

/** Most versions that are offered, the newest first. */
const most = 20;

const nameOf = ({ id = '', tag = [], essenceVersion = 0 }: ShapeType): string =>
  t('item.versionOf', { version: essenceVersion, form: tag.join(', ') || id });
const same = () => undefined;

/** Two versions of the media side by side, and what differs. */
export function Compare({ item, shapeIds, at }: CompareProps) {
  const path = `/item/${encodeURIComponent(item.id ?? '')}/shape/version`;
  const shapes = useLoad(`${path} ${item.shape?.length}`, async (signal) => {
    const { version = [] } = await get<EssenceVersionListDocument>(path, { signal });
    const newest = version.toSorted((one, other) => Number(other.id) - Number(one.id)).slice(0, most);
    const versions = await Promise.all(
      newest.map(({ id }) => get<EssenceVersionDocument>(`${path}/${id}`, { signal })),
    );
    return versions.flatMap(({ shape = [] }) => shape);
  });
  return (
    <section class="compare stack" aria-label={t('item.compare')}>
      <header class="row">
        <h2 class="grow">{t('item.compare')}</h2>
        <IconButton icon="x" label={t('word.close')} onClick={() => setQuery({ compare: undefined })} />
      </header>
      <Shown of={shapes} rows={8}>
        {(all) => {
          const pair = pairOf(all, shapeIds);
          if (!pair) return <Empty icon="film" text={t('item.compareNone')} />;
          const choose = (side: number, id: string) =>
            setQuery({ compare: pair.map((each, at) => (at === side ? id : each.id)).join() });
          return (
            <>
              <div class="sides">
                {pair.map(({ id }, side) => (
                  <select
                    key={side}
                    class="input"
                    aria-label={t('item.side', { number: side + 1 })}
                    value={id}
                    onChange={(event) => choose(side, event.currentTarget.value)}
                  >
                    {all.map((each) => (
                      <option key={each.id} value={each.id}>
                        {nameOf(each)}
                      </option>
                    ))}
                  </select>
                ))}
              </div>
              <Media key={pair.map(({ id }) => id).join()} {...{ item, pair, at }} />
              <Differences pair={pair} />
            </>
          );
        }}
      </Shown>
    </section>
  );
}

function Media({ item, pair, at }: { item: ItemType; pair: Pair; at: number }) {
  const [one, other] = pair.map((shape) => playables({ id: item.id, shape: [shape] })[0]);
  const [shape] = pair;
  const duration = Math.max(...pair.map((each) => durationOf(each) ?? 0));
  const engine = useMemo(() => createEngine(countingOf(shape), duration, at), []);
  const spans = useMemo(() => spansOf(item.metadata ?? {}), [item.metadata]);
  if (one?.medium === 'film' && other?.medium === 'film') {
    return (
      <Player
        {...{ engine, spans, shape }}
        src={one.path}
        beside={other.path}
        isSound={false}
        poster={undefined}
        onBroken={same}
      >
        {duration > 0 && (
          <Timeline
            {...{ engine, spans }}
            waveform={undefined}
            sheet={undefined}
            canEdit={false}
            onMove={same}
            onEdit={same}
            onRemove={same}
          />
        )}
      </Player>
    );
  }
  return (
    <div class="stage two">
      {[one, other].map((each, side) => {
        if (!each) return <p key={side}>{t('item.notPlayable')}</p>;
        if (each.medium === 'picture') return <img key={side} src={each.path} alt="" />;
        const Medium = each.medium === 'film' ? 'video' : 'audio';
        return <Medium key={side} src={each.path} controls />;
      })}
    </div>
  );
}

function Differences({ pair }: { pair: Pair }) {
  return (
    <Table
      label={t('item.differences')}
      rows={propertiesOf(pair)}
      keyOf={({ name }) => name}
      columns={[
        {
          id: 'name',
          title: t('item.property'),
          cell: ({ name, texts: [one, other] }) => (
            <span class="row">
              {t(name)} {one !== other && <Mark tone="warn">{t('item.differs')}</Mark>}
            </span>
          ),
        },
        ...pair.map((shape, side) => ({
          id: `${side}`,
          title: nameOf(shape),
          cell: ({ texts }: Property) => texts[side] || '–',
        })),
      ]}
    />
  );
}
