import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { firstView, send } from '../../api/client.ts';
import { useBack, useOnce } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { useKeys } from '../../keys.ts';
import { isWide } from '../../look.ts';
import { may } from '../../rights.ts';
import { navigate } from '../../router.tsx';
import type { DialogName } from './actions.ts';
import { everything, isChosen, nothing, type Selection, sizeOf, withIds, withToggled } from './actions.ts';
import { dragOf } from './drag.ts';
import { fieldOf } from './fields.ts';
import { Head } from './head.tsx';
import { useMoved } from './leaving.ts';
import { entryUnder, open, positions } from './positions.ts';
import { setView, view } from './preferences.ts';
import { type Reasons, useReasons } from './reasons.ts';
import type { Place } from './results.ts';
import { emptySearch, isEmptySearch, type Search, writeSearch } from './search.ts';
import { keysOf, Narrowed, Nothing, nameOf, useFirstPicture, useLater, useReviewStates, Waiting } from './states.tsx';
import { RowView, rowHeight, TileView, tileHeight } from './tile.tsx';
import { Toolbar } from './toolbar.tsx';
import { useList } from './use-list.ts';

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
  /** Why each item is here: read for those of the list, and said under their titles. */
  readonly reasons?: Reasons;
}

export function Browser(props: BrowserProps) {
  const { place, base, collection } = props;
  const later = useOnce(() => firstView.then(() => import('./later.ts')));
  const now = view.value;
  const [facetsOpen, setFacetsOpen] = useState(false);
  const [quietFacets, setQuietFacets] = useState(false);
  const hasFacets = props.quiet ? quietFacets : now.facets;
  const { address, search, fields, facets, results, list, own, run, refuse, tileAt, idAt, idsIn, total } = useList(
    props,
    hasFacets || facetsOpen,
  );
  const key = `${base}?${address}`;
  const [active, setActive] = useState(positions.get(key)?.active ?? 0);
  const anchor = useRef(0);
  const [selection, setSelection] = useState<Selection>(nothing);
  const [dialog, setDialog] = useState<{ readonly name: DialogName; readonly of: Selection }>();
  const [menu, setMenu] = useState<{ readonly index: number; readonly x: number; readonly y: number }>();
  const [hasPanel, setPanel] = useState(false);
  const [playId, setPlayId] = useState<string>();
  /** Selection before a deletion, and how often a deletion was undone. */
  const chosenBefore = useRef(nothing);
  const [undone, setUndone] = useState(0);
  const columns = useMemo(() => now.columns.map((name) => fieldOf(fields ?? [], name)), [now.columns, fields]);
  useLayoutEffect(() => {
    setSelection(nothing);
    chosenBefore.current = nothing;
    setActive(positions.get(key)?.active ?? 0);
  }, [results, search]);
  // The version is read so that a changed list is drawn.
  const [version, isPending, failure] = [results.version.value, results.isPending.value, results.failure.value];
  const root = useFirstPicture(list, failure);
  useBack(failure, () => results.again());
  useReviewStates(later, results, search, facets, hasFacets || facetsOpen);
  useReasons(props.reasons, results);
  const { before, count, hits } = total;
  const size = sizeOf(selection, hits);
  const isLate = useLater(isPending && !list);
  const activeIndex = Math.min(active, Math.max(0, count - 1));
  const activeId = idAt(activeIndex);
  const isPinned = now.pinned && isWide();
  // Files that are dropped stand before the active entry, which stays the same. A new list has them itself.
  const entriesBefore = useRef({ before, list });
  useLayoutEffect(() => {
    const added = list === entriesBefore.current.list ? before - entriesBefore.current.before : 0;
    entriesBefore.current = { before, list };
    if (active > 0 && added !== 0) makeActive(Math.max(0, active + added));
  }, [before, list]);
  // The focus comes back once.
  useEffect(() => {
    const position = positions.get(key);
    if (list && position) positions.set(key, { ...position, isLeft: false });
  }, [list !== undefined, undone]);
  useMoved(run, () => {
    setSelection(chosenBefore.current);
    positions.set(key, { top: positions.get(key)?.top ?? 0, active, isLeft: true });
    setUndone(undone + 1);
  });
  const go = (next: Search, replace = false) => {
    navigate(`${base}?${writeSearch(next)}`.replace(/\?$/, ''), { replace });
  };
  const chooseAll = () => hits > 0 && total.countWhole(() => setSelection(everything));
  const widen = (to: number) => {
    const add = (ids: readonly string[]) => setSelection((chosen) => withIds(chosen, ids, true));
    idsIn(Math.min(to, anchor.current), Math.max(to, anchor.current) + 1, (ids) => (ids ? add(ids) : chooseAll()));
  };
  const toggle = (index: number) => {
    anchor.current = index;
    const id = idAt(index);
    if (id !== undefined) setSelection(withToggled(selection, id));
  };
  const makeActive = (index: number) => {
    setActive(index);
    positions.set(key, { top: positions.get(key)?.top ?? 0, active: index });
  };
  const openAt = (index: number) => {
    const id = idAt(index);
    if (own.uploadOf(index, id)?.state === 'lost') document.querySelector<HTMLElement>('.to-upload')?.click();
    if (id === undefined) return;
    positions.set(key, { top: positions.get(key)?.top ?? 0, active: index, isLeft: true });
    open(id);
  };
  const openMenu = (index: number) => {
    const button = document.querySelector(`#entry-${index} :is(.more, .title)`)?.getBoundingClientRect();
    if (button && idAt(index) !== undefined) setMenu({ index, x: button.left, y: button.bottom });
  };

  function clicked(index: number, event: MouseEvent): void {
    const target = event.target as Element;
    if (target.closest('.upload-over :is(button, a)')) return;
    event.preventDefault();
    makeActive(index);
    if (target.closest('.more')) openMenu(index);
    else if (event.shiftKey) widen(index);
    else if (event.ctrlKey || event.metaKey || size > 0 || target.closest('.tick')) toggle(index);
    else openAt(index);
  }

  /** Items of a collection have an order of their own, as long as nothing else sorts them. */
  const orders = collection !== undefined && search.sort === '' && may('collection.write');
  function order(ids: readonly string[], where: { before: string } | { after: string }): void {
    const item = ids.filter((id) => !Object.values(where).includes(id)).map((id) => ({ id, ...where }));
    if (item.length === 0) return;
    send('POST', `/collection/${collection}/order`, { item }).then(run, refuse);
  }

  function gridKey(event: KeyboardEvent, index: number): boolean {
    const id = idAt(index);
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openMenu(index);
    else if (orders && id !== undefined && (event.key === '<' || event.key === '>')) {
      const other = idAt(index + (event.key === '<' ? -1 : 1));
      if (other === undefined) return false;
      order([id], event.key === '<' ? { before: other } : { after: other });
      setActive(index + (event.key === '<' ? -1 : 1));
    } else if (event.key === 'x') toggle(index);
    else if (event.key === ' ') {
      setPanel(true);
      setPlayId(id);
    } else return false;
    return true;
  }
  const only = (id: string | undefined): Selection => (id === undefined ? nothing : { all: false, ids: new Set([id]) });
  /** Without a choice, actions are for the active tile. */
  const target = size > 0 ? selection : only(activeId);
  const ask = (name: DialogName, of = target) => {
    if (name === 'edit' && sizeOf(of, 1) === 1 && !of.all) navigate(`/item/${[...of.ids][0]}?tab=metadata&edit=true`);
    else if (name === 'save' || sizeOf(of, hits) > 0) setDialog({ name, of });
  };
  const chosenOf = (of: Selection) => ({ place, search, facets, selection: of });
  const closePanel = () => {
    setPanel(false);
    if (now.pinned) setView({ pinned: false });
  };
  const isPanelOpen = hasPanel || isPinned;
  const togglePanel = () => (isPanelOpen ? closePanel() : setPanel(true));
  const mayUpload = may('upload') && (base === '/' || (collection !== undefined && may('collection.write')));
  const has = { c: may('collection.write'), e: may('item.edit') };
  const adds = has.c && {
    c: () => ask('collection'),
    s: () => void later?.star(chosenOf(target), sizeOf(target, hits)),
  };
  const escapes = (size > 0 || isPanelOpen) && {
    Escape: () => (size > 0 ? setSelection(nothing) : closePanel()),
  };
  useKeys(
    { i: togglePanel, 'Ctrl+a': chooseAll, ...escapes, ...adds, ...(has.e && { e: () => ask('edit') }) },
    keysOf(has.c, has.e, orders),
  );

  const labelOf = (name: string) => (facets.find(({ field }) => field === name) ?? fieldOf(fields ?? [], name)).label;
  const CurrentDialog = dialog && later?.dialogs[dialog.name];
  const isTable = now.view === 'table';
  const isOn = (index: number) => isChosen(selection, idAt(index) ?? '');
  const attributes = (index: number) => {
    const tile = tileAt(index);
    const id = idAt(index);
    return {
      'aria-selected': id !== undefined && isOn(index),
      'data-stale': tile?.isStale || undefined,
      'data-shown': (isPanelOpen && index === activeIndex) || undefined,
      ...(id !== undefined &&
        dragOf(
          () => (isOn(index) && !selection.all ? [...selection.ids] : [id]),
          orders ? (ids) => order(ids, { before: id }) : undefined,
        )),
    };
  };
  /** Chosen items are gone from the list. */
  const removed = () => {
    setSelection(nothing);
    run();
  };
  const chosenProps = (of: Selection) => ({
    chosen: chosenOf(of),
    size: sizeOf(of, hits),
    collection,
    onAsk: (name: DialogName) => ask(name, of),
    onRemoved: removed,
  });
  const menuId = menu && idAt(menu.index);
  const entry = (index: number) => {
    const upload = own.uploadOf(index, tileAt(index)?.id);
    return {
      tile: tileAt(index),
      reason: props.reasons?.of(idAt(index) ?? ''),
      isChosen: isOn(index),
      state: later?.stateMark(tileAt(index)),
      upload: upload && later?.uploadState(upload),
    };
  };

  return (
    <div
      ref={root}
      class="library"
      data-facets={hasFacets || undefined}
      data-open={facetsOpen || undefined}
      data-selecting={size > 0 || undefined}
      onContextMenu={(event) => {
        const index = entryUnder(event);
        if (index === undefined || idAt(index) === undefined) return;
        event.preventDefault();
        makeActive(index);
        setMenu({ index, x: event.clientX, y: event.clientY });
      }}
    >
      <section class="results" aria-label={props.title}>
        <Toolbar
          title={props.title}
          count={list && total.itemsText}
          newer={results.newer.value}
          onNewer={run}
          search={search}
          fields={fields ?? []}
          standardOrder={props.standardOrder}
          onUpload={mayUpload ? (files) => later?.upload(files, collection) : undefined}
          onSearch={go}
          hasFacets={hasFacets}
          onFacets={() => {
            if (!isWide()) setFacetsOpen(!facetsOpen);
            else if (props.quiet) setQuietFacets(!hasFacets);
            else setView({ facets: !hasFacets });
          }}
          hasPanel={isPanelOpen}
          onPanel={togglePanel}
          {...(may('library.write') && !isEmptySearch(search) ? { onSave: () => ask('save', everything) } : {})}
        />
        <Narrowed search={search} labelOf={labelOf} onSearch={go} />
        {props.above}
        {failure !== undefined && (
          <div class="refused">
            <RefusalNote error={failure} onAgain={() => results.again()} />
          </div>
        )}
        <div class="found">
          {list && count === 0 && failure === undefined ? (
            <Nothing search={search} dim={isPending} onClear={() => go(emptySearch)}>
              {props.empty}
            </Nothing>
          ) : list || before > 0 ? (
            <VirtualGrid
              key={`${key} ${now.view} ${undone}`}
              label={total.foundText}
              count={count}
              tile={isTable ? 0 : now.size}
              gap={isTable ? 0 : 12}
              rowHeight={(width) => (isTable ? rowHeight() : tileHeight(width, props.reasons ? 2 : 1))}
              active={activeIndex}
              dim={isPending}
              top={positions.get(key)?.top ?? 0}
              isFocused={positions.get(key)?.isLeft ?? false}
              onScroll={(top) => positions.set(key, { top, active })}
              onWindow={(first, last) => results.want(Math.max(0, first - before), Math.max(0, last - before))}
              onMove={(index, event) => {
                if (event.shiftKey) widen(index);
                else anchor.current = index;
                makeActive(index);
              }}
              onClick={clicked}
              onHold={(index) => {
                makeActive(index);
                toggle(index);
              }}
              onKey={gridKey}
              onOpen={openAt}
              attributes={attributes}
              {...(isTable
                ? { head: <Head columns={columns} search={search} onSearch={go} />, headColumns: columns.length + 3 }
                : {})}
            >
              {(index) =>
                isTable ? (
                  <RowView {...entry(index)} columns={columns} />
                ) : (
                  <TileView {...entry(index)} labelOf={labelOf} />
                )
              }
            </VirtualGrid>
          ) : (
            isLate && failure === undefined && <Waiting size={now.size} isTable={isTable} />
          )}
          {isPanelOpen && activeId !== undefined && later && (
            <later.Panel
              id={activeId}
              fields={fields ?? []}
              isToPlay={playId === activeId}
              onPlay={() => setPlayId(undefined)}
              version={version}
              tile={`entry-${activeIndex}`}
              isPinned={isPinned}
              onPin={() => {
                setPanel(true);
                setView({ pinned: !isPinned });
              }}
              onShare={may('share.write') ? () => ask('share', only(activeId)) : undefined}
              onClose={closePanel}
            />
          )}
        </div>
        <p class="unseen" role="status">
          {list && !isPending ? total.foundText : ''}
        </p>
        {size > 0 && later && (
          <later.SelectionBar
            {...chosenProps(selection)}
            count={total.isOpen ? undefined : hits}
            onAll={chooseAll}
            onNone={() => setSelection(nothing)}
          />
        )}
      </section>
      {later && (
        <later.FacetsView
          facets={facets}
          answers={results.counts.value}
          search={search}
          onSearch={go}
          countText={total.itemsText}
          onClose={() => setFacetsOpen(false)}
        />
      )}
      {menu && menuId !== undefined && later && (
        <later.TileMenu
          {...chosenProps(only(menuId))}
          name={tileAt(menu.index)?.title ?? ''}
          at={menu}
          onOpen={() => openAt(menu.index)}
          onDetails={() => setPanel(true)}
          onChoose={() => toggle(menu.index)}
          onClose={(isLeft) => {
            setMenu(undefined);
            if (!isLeft) document.getElementById(`entry-${menu.index}`)?.focus({ preventScroll: true });
          }}
        />
      )}
      {CurrentDialog && (
        <CurrentDialog
          chosen={chosenOf(dialog.of)}
          size={sizeOf(dialog.of, hits)}
          name={nameOf(dialog.of, own.entries, list)}
          {...{ collection, address }}
          onClose={() => setDialog(undefined)}
          onDone={(name) => {
            setDialog(undefined);
            if (name === 'delete') {
              chosenBefore.current = selection;
              setSelection(nothing);
            } else if (name === 'move') removed();
            else if (name === 'edit') run();
          }}
        />
      )}
    </div>
  );
}
