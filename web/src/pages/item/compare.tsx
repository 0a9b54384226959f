import type { ItemType, ShapeType } from 'portico/types';
import { useMemo } from 'preact/hooks';
import { IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { tagWords } from '../../components/words.ts';
import { look } from '../../look.ts';
import { createEngine } from '../../player/engine.ts';
import { countingOf, durationOf } from '../../player/frames.ts';
import { Player } from '../../player/player.tsx';
import { Lanes } from '../../player/span-bar.tsx';
import { captionsOf, spansOf } from '../../player/spans.ts';
import { Timeline } from '../../player/timeline.tsx';
import { setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { stateName } from '../library/narrowed.ts';
import { playables } from './item.ts';
import {
  type Pair,
  type Property,
  pairOf,
  pathOfVersions,
  propertiesOf,
  readVersions,
  type Version,
  versionName,
} from './versions.ts';

interface CompareProps {
  readonly item: ItemType;
  /** Ids of shapes. */
  readonly shapeIds: readonly string[];
  /** Seconds at which the films stand. */
  readonly at: number;
}

/** `Version 2 (approved), original`. */
function nameOf({ id = '', tag = [], essenceVersion = 0 }: ShapeType, versions: readonly Version[]): string {
  const state = versions.find(({ number }) => number === essenceVersion)?.approval?.state;
  const words = state ? `${versionName(essenceVersion)} (${stateName(state)})` : versionName(essenceVersion);
  return `${words}, ${tag.map(tagWords).join(', ') || id}`;
}
const same = () => undefined;

/** Two versions of the media side by side, and what differs. */
export function Compare({ item, shapeIds, at }: CompareProps) {
  const versions = useLoad(`${pathOfVersions(item)} ${item.shape?.length}`, (signal) => readVersions(item, signal));
  return (
    <section class="compare stack" aria-label={t('item.compare')}>
      <header class="row">
        <h2 class="grow">{t('item.compare')}</h2>
        <IconButton icon="x" label={t('word.close')} onClick={() => setQuery({ compare: undefined })} />
      </header>
      <Shown of={versions} rows={8}>
        {(every) => {
          const all = every.flatMap(({ shapes }) => shapes);
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
                        {nameOf(each, every)}
                      </option>
                    ))}
                  </select>
                ))}
              </div>
              <Media key={pair.map(({ id }) => id).join()} {...{ item, pair, at }} />
              <Differences pair={pair} versions={every} />
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
  const captions = useMemo(() => captionsOf(spans), [spans]);
  if (one?.medium === 'film' && other?.medium === 'film') {
    return (
      <Player
        {...{ engine, captions, shape }}
        src={one.path}
        beside={other.path}
        isSound={false}
        poster={undefined}
        onBroken={same}
      >
        {duration > 0 && (
          <Timeline engine={engine} theme={look.value.theme}>
            {(view, width) => (
              <Lanes {...{ engine, spans, view, width }} canEdit={false} onMove={same} onEdit={same} onRemove={same} />
            )}
          </Timeline>
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

function Differences({ pair, versions }: { pair: Pair; versions: readonly Version[] }) {
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
          title: nameOf(shape, versions),
          cell: ({ texts }: Property) => texts[side] || '–',
        })),
      ]}
    />
  );
}
