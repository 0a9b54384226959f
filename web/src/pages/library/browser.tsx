import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { send } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { IconButton } from '../../components/button.tsx';
import { Chips } from '../../components/chips.tsx';
import { useBack } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { useKeys } from '../../keys.ts';
import { may } from '../../rights.ts';
import { navigate } from '../../router.tsx';
import { language, t } from '../../texts/index.ts';
import type { DialogName } from './actions.ts';
import { everything, isChosen, nothing, type Selection, sizeOf, withIds, withToggled } from './actions.ts';
import { dialogs } from './dialogs.tsx';
import { type Facet, facetsOf } from './facets.ts';
import { chipsOf, FacetsView } from './facets-view.tsx';
import { fieldOf, useFields } from './fields.ts';
import { Head } from './head.tsx';
import { Panel } from './panel.tsx';
import { readView, setView, view } from './preferences.ts';
import { type Place, Results } from './results.ts';
import { emptySearch, isEmptySearch, readSearch, type Search, writeSearch } from './search.ts';
import { SelectionBar, star } from './selection-bar.tsx';
import { keysOf, Nothing, useFirstPicture, useLater, Waiting } from './states.tsx';
import { RowView, TileView } from './tile.tsx';
import { Toolbar } from './toolbar.tsx';

/** The type under which tiles are dragged: ids in lines. */
export const dragType = 'application/x-portico-items';
/** Whether a tile is dragged now: places to drop it show themselves. */
export const dragged = signal(false);

interface BrowserProps {
  readonly place: Place;
  /** Address of the page, without its query. */
  readonly base: string;
  readonly title: string;
  /** The collection whose items these are: they can be taken out of it. */
  readonly collection?: string | undefined;
  /** Fields in the order of the place come first: then nothing is sorted. */
  readonly standardOrder: string;
  readonly empty: ComponentChildren;
  readonly above?: ComponentChildren;
  /** Grows when the place has changed by other means. */
  readonly renewed?: number;
  /** Filters are closed at first: something else stands at the left. */
  readonly quiet?: boolean;
}

/** Scroll position and active entry of each address, for the way back from an item. */
const positions = new Map<string, { top: number; active: number }>();

export function Browser(props: BrowserProps) {
  const { place, base } = props;
  const query = new URLSearchParams(location.search);
  const panelId = query.get('item') ?? undefined;
  query.delete('item');
  const address = query.toString();
  const search = useMemo(() => readSearch(new URLSearchParams(address)), [address]);
  const key = `${base}?${address}`;
  const fields = useFields(!isEmptySearch(search));
  const facets = useMemo<readonly Facet[]>(
    () =>
      facetsOf(fields ?? [], [
        { field: 'mediaType', label: t('library.fieldKind'), kind: 'values' },
        { field: 'user', label: t('library.fieldUser'), kind: 'values' },
        { field: 'created', label: t('library.fieldCreated'), kind: 'date' },
      ]),
    [fields],
  );
  const results = useMemo(() => new Results(place), [place.path, place.query?.['library']]);
  const [active, setActive] = useState(positions.get(key)?.active ?? 0);
  const anchor = useRef(0);
  const [selection, setSelection] = useState<Selection>(nothing);
  const [dialog, setDialog] = useState<DialogName | undefined>(undefined);
  const [play, setPlay] = useState(0);
  const [facetsOpen, setFacetsOpen] = useState(false);
  const now = view.value;
  const [quietFacets, setQuietFacets] = useState(false);
  const hasFacets = props.quiet ? quietFacets : now.facets;
  // Filters go by the types of fields. All items are read beside the fields.
  const canRun = fields !== undefined || isEmptySearch(search);
  const facetKey = facets.map(({ field, kind }) => `${field} ${kind}`).join();
  const columns = useMemo(() => now.columns.map((name) => fieldOf(fields ?? [], name)), [now.columns, fields]);

  useEffect(() => void readView(), []);
  const runItems = () => results.run(search, facets, now.columns);
  const list = results.list.value;
  // The first items go before the counts of facets.
  const countsFacets = list !== undefined && fields !== undefined && (hasFacets || facetsOpen);
  const runFacets = () => countsFacets && results.count(search, facets);
  const run = () => {
    runItems();
    runFacets();
  };
  // The request leaves before the first paint.
  useLayoutEffect(() => {
    if (canRun) runItems();
    setSelection(nothing);
    setActive(positions.get(key)?.active ?? 0);
  }, [results, search, canRun, now.columns.join(), props.renewed]);
  useEffect(() => void runFacets(), [results, search, countsFacets, facetKey, props.renewed]);
  useEffect(() => () => results.stop(), [results]);
  useEffect(
    () =>
      onEvent(['metadata/modify', 'shape/*', 'item/*'], ({ name, entityType, entityId }) => {
        if (entityType !== 'item') return;
        if (name === 'item/create') results.newer.value += 1;
        else results.changed(entityId);
      }),
    [results],
  );

  // The version is read so that a changed list is drawn.
  const version = results.version.value;
  const isPending = results.isPending.value;
  const failure = results.failure.value;
  const root = useFirstPicture(list, failure);
  useBack(failure, () => results.again());
  const count = list?.count ?? 0;
  const size = sizeOf(selection, count);
  const isLate = useLater(isPending && !list);

  const go = (next: Search, replace = false) => {
    const to = writeSearch(next);
    navigate(`${base}${[...to].length > 0 ? `?${to}` : ''}`, { replace });
  };
  const showPanel = (id: string | undefined) => {
    const to = new URLSearchParams(address);
    if (id !== undefined) to.set('item', id);
    navigate(`${base}${[...to].length > 0 ? `?${to}` : ''}`, { replace: true });
  };

  function range(from: number, to: number, on: boolean): void {
    const ids: string[] = [];
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      const tile = list?.at(index);
      if (tile) ids.push(tile.id);
    }
    // A range whose ends are far apart is not all loaded; a choice of everything needs no ids.
    if (ids.length <= Math.abs(to - from) && Math.abs(to - from) + 1 === count) setSelection(everything);
    else setSelection(withIds(selection, ids, on));
  }

  function activate(index: number, event: KeyboardEvent | MouseEvent): void {
    const isKey = event instanceof KeyboardEvent;
    const id = list?.at(index)?.id;
    if (event.shiftKey) range(anchor.current, index, true);
    else {
      anchor.current = index;
      const onTick = !isKey && (event.target as Element).closest('.tick') !== null;
      if (!isKey && id !== undefined && (event.ctrlKey || event.metaKey || onTick))
        setSelection(withToggled(selection, id));
    }
    setActive(index);
    positions.set(key, { top: positions.get(key)?.top ?? 0, active: index });
    if (
      id !== undefined &&
      (panelId !== undefined || (now.panel && !isKey)) &&
      matchMedia('(min-width: 800px)').matches
    )
      showPanel(id);
  }

  /** Items of a collection have an order of their own, as long as nothing else sorts them. */
  const orders = props.collection !== undefined && search.sort === '' && may('collection.write');
  function order(ids: readonly string[], where: { before: string } | { after: string }): void {
    const item = ids.filter((id) => !Object.values(where).includes(id)).map((id) => ({ id, ...where }));
    if (item.length === 0) return;
    send('POST', `/collection/${props.collection}/order`, { item }).then(run, (refusal) => {
      results.failure.value = refusal;
    });
  }

  function gridKey(event: KeyboardEvent, index: number): boolean {
    const id = list?.at(index)?.id;
    if (id === undefined) return false;
    if (orders && (event.key === '<' || event.key === '>')) {
      const other = list?.at(index + (event.key === '<' ? -1 : 1))?.id;
      if (other === undefined) return false;
      order([id], event.key === '<' ? { before: other } : { after: other });
      setActive(index + (event.key === '<' ? -1 : 1));
    } else if (event.key === 'x') setSelection(withToggled(selection, id));
    else if (event.key === ' ') {
      if (panelId !== id) showPanel(id);
      setPlay(play + 1);
    } else if (event.key === 'Escape') {
      if (size > 0) setSelection(nothing);
      else if (panelId !== undefined) showPanel(undefined);
      else return false;
    } else return false;
    return true;
  }

  const open = (index: number) => {
    const id = list?.at(index)?.id;
    if (id !== undefined) navigate(`/item/${id}`);
  };
  const activeId = list?.at(active)?.id;
  /** Without a choice, actions are for the active tile. */
  const target: Selection =
    size > 0 ? selection : activeId === undefined ? nothing : { all: false, ids: new Set([activeId]) };
  const ask = (name: DialogName) => {
    if (name === 'save' || sizeOf(target, count) > 0) setDialog(name);
  };
  const edit = () => {
    if (size > 1) setDialog('edit');
    else if (activeId !== undefined) navigate(`/item/${[...target.ids][0]}?edit=true`);
  };
  const has = { c: may('collection.write'), e: may('item.edit') };
  const toStar = () => void star({ place, search, facets, selection: target }, sizeOf(target, count));
  const adds = has.c && { c: () => ask('collection'), f: toStar };
  useKeys({ ...adds, ...(has.e && { e: edit }) }, keysOf(has.c, has.e, orders));

  const labelOf = (name: string) =>
    facets.find(({ field }) => field === name)?.label ?? fieldOf(fields ?? [], name).label;
  const chips = chipsOf(search, labelOf);
  const CurrentDialog = dialog && dialogs[dialog];
  const isTable = now.view === 'table';
  const attributes = (index: number) => {
    const tile = list?.at(index);
    const isOn = tile !== undefined && isChosen(selection, tile.id);
    return {
      'aria-selected': isOn,
      'data-stale': tile?.isStale || undefined,
      'data-shown': (tile !== undefined && tile.id === panelId) || undefined,
      draggable: tile !== undefined,
      onDragStart: (event: DragEvent) => {
        if (!tile) return;
        const ids = isOn && !selection.all ? [...selection.ids] : [tile.id];
        event.dataTransfer?.setData(dragType, ids.join('\n'));
        event.dataTransfer?.setData('text/plain', ids.join('\n'));
        dragged.value = true;
      },
      onDragEnd: () => {
        dragged.value = false;
      },
      ...(tile && orders
        ? {
            onDragOver: (event: DragEvent) => {
              if (event.dataTransfer?.types.includes(dragType)) event.preventDefault();
            },
            onDrop: (event: DragEvent) => {
              event.preventDefault();
              order(event.dataTransfer?.getData(dragType).split('\n') ?? [], { before: tile.id });
            },
          }
        : {}),
    };
  };

  return (
    <div
      ref={root}
      class="library"
      data-facets={hasFacets || undefined}
      data-open={facetsOpen || undefined}
      data-panel={panelId !== undefined || undefined}
    >
      <aside class="facets" aria-label={t('library.facets')}>
        <header>
          <h2>{t('library.facets')}</h2>
          <IconButton icon="x" label={t('library.closeFacets')} onClick={() => setFacetsOpen(false)} />
        </header>
        <FacetsView facets={facets} answers={results.counts.value} search={search} onSearch={go} />
      </aside>
      <section class="results" aria-label={props.title}>
        <Toolbar
          title={props.title}
          count={list?.count}
          search={search}
          fields={fields ?? []}
          standardOrder={props.standardOrder}
          canUpload={base === '/' && may('upload')}
          onSearch={go}
          hasFacets={hasFacets}
          onFacets={() => {
            if (!matchMedia('(min-width: 800px)').matches) setFacetsOpen(!facetsOpen);
            else if (props.quiet) setQuietFacets(!hasFacets);
            else setView({ facets: !hasFacets });
          }}
          {...(may('library.write') && !isEmptySearch(search) ? { onSave: () => setDialog('save') } : {})}
        />
        {chips.length > 0 && (
          <div class="narrowed">
            <Chips
              label={t('library.narrowedBy')}
              chips={chips.map(({ key: id, text, without }) => ({ id, text, onRemove: () => go(without) }))}
            />
            <button
              type="button"
              class="link"
              onClick={() => go({ ...emptySearch, text: search.text, sort: search.sort })}
            >
              {t('library.clearAll')}
            </button>
          </div>
        )}
        {props.above}
        {results.newer.value > 0 && (
          <button type="button" class="news" onClick={run}>
            {t('library.newer', { count: results.newer.value })}
          </button>
        )}
        {failure !== undefined && (
          <div class="refused">
            <RefusalNote error={failure} onAgain={() => results.again()} />
          </div>
        )}
        {list && count === 0 && failure === undefined ? (
          <Nothing search={search} dim={isPending} onClear={() => go(emptySearch)}>
            {props.empty}
          </Nothing>
        ) : list ? (
          <VirtualGrid
            key={`${key} ${now.view}`}
            label={t('library.found', { count })}
            count={count}
            tile={isTable ? 0 : now.size}
            gap={isTable ? 0 : 12}
            rowHeight={(width) => (isTable ? 40 : Math.round((width * 9) / 16) + 53)}
            active={Math.min(active, Math.max(0, count - 1))}
            dim={isPending}
            top={positions.get(key)?.top ?? 0}
            onScroll={(top) => positions.set(key, { top, active })}
            onWindow={(first, last) => results.want(first, last)}
            onActive={activate}
            onKey={gridKey}
            onOpen={open}
            attributes={attributes}
            {...(isTable
              ? { head: <Head columns={columns} search={search} onSearch={go} />, headColumns: columns.length + 3 }
              : {})}
          >
            {(index) =>
              isTable ? (
                <RowView
                  tile={list.at(index)}
                  language={language.value}
                  columns={columns}
                  isChosen={attributes(index)['aria-selected']}
                />
              ) : (
                <TileView tile={list.at(index)} language={language.value} labelOf={labelOf} />
              )
            }
          </VirtualGrid>
        ) : (
          isLate && failure === undefined && <Waiting size={now.size} isTable={isTable} />
        )}
        <p class="unseen" role="status">
          {list && !isPending ? t('library.found', { count }) : ''}
        </p>
        {size > 0 && (
          <SelectionBar
            size={size}
            isAll={selection.all}
            count={count}
            collection={props.collection}
            chosen={{ place, search, facets, selection }}
            onAll={() => setSelection(everything)}
            onNone={() => setSelection(nothing)}
            onAsk={ask}
            onRemoved={run}
          />
        )}
      </section>
      {panelId !== undefined && (
        <Panel
          id={panelId}
          fields={fields ?? []}
          language={language.value}
          play={play}
          version={version}
          onClose={() => showPanel(undefined)}
        />
      )}
      {CurrentDialog && (
        <CurrentDialog
          chosen={{ place, search, facets, selection: dialog === 'save' ? everything : target }}
          size={sizeOf(target, count)}
          address={address}
          onClose={() => setDialog(undefined)}
          onDone={(name) => {
            setDialog(undefined);
            if (name === 'delete') {
              setSelection(nothing);
              run();
            }
          }}
        />
      )}
    </div>
  );
}
