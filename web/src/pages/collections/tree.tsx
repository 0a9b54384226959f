import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useBack, useOnce } from '../../components/load.ts';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { has, may } from '../../rights.ts';
import { Link, navigate } from '../../router.tsx';
import { numberText, t } from '../../texts/index.ts';
import { addItems, savedSearches, takeOutItems, type Undo, undoBy } from '../library/actions.ts';
import { dragged, dragType, droppedIds } from '../library/drag.ts';
import { changes, level, move, type Node } from './collections.ts';

const collectionType = 'application/x-portico-collection';

/** Does it, and tells it. */
const changed = (work: () => Promise<Undo>, told: string) =>
  act(async () => {
    const undo = undoBy(await work());
    changes.value += 1;
    toast(told, undo);
  });

interface LevelProps {
  readonly parent: string | undefined;
  readonly chosen: string | undefined;
  /** Collections above the chosen one: they are open. */
  readonly open: readonly string[];
  readonly depth: number;
}

function Branch({ node, parent, chosen, open, depth, isFirst }: LevelProps & { node: Node; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(open.includes(node.id));
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (open.includes(node.id)) setOpen(true);
  }, [open.join()]);

  function pressed(event: KeyboardEvent): void {
    const items = [...document.querySelectorAll<HTMLElement>('.tree [role=treeitem]')];
    const at = items.indexOf(event.currentTarget as HTMLElement);
    const focus = (to: number) => items[Math.min(items.length - 1, Math.max(0, to))]?.focus();
    if (event.key === 'ArrowDown') focus(at + 1);
    else if (event.key === 'ArrowUp') focus(at - 1);
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(items.length - 1);
    else if (event.key === 'ArrowRight') {
      if (node.children > 0 && !isOpen) setOpen(true);
      else focus(at + 1);
    } else if (event.key === 'ArrowLeft') {
      if (isOpen) setOpen(false);
      else items[at]?.closest('[role=group]')?.parentElement?.querySelector<HTMLElement>('[role=treeitem]')?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') navigate(`/collection/${node.id}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function dropped(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const ids = droppedIds(event);
    const [moved = '', from = ''] = event.dataTransfer?.getData(collectionType).split('\n') ?? [];
    if (ids.length > 0)
      void changed(() => addItems(node.id, ids), t('library.added', { count: ids.length, name: node.name }));
    else if (moved !== '' && moved !== node.id)
      void act(() => move(moved, from === '' ? undefined : from, node.id).then(() => setOpen(true)));
  }

  const hasChildren = node.children > 0;
  return (
    <li role="none">
      <div
        class="node"
        role="treeitem"
        aria-level={depth}
        aria-selected={node.id === chosen}
        aria-expanded={hasChildren ? isOpen : undefined}
        tabIndex={node.id === chosen || (isFirst && chosen === undefined) ? 0 : -1}
        data-over={isOver || undefined}
        draggable={may('collection.write')}
        onKeyDown={pressed}
        onDragStart={(event) => event.dataTransfer?.setData(collectionType, `${node.id}\n${parent ?? ''}`)}
        onDragOver={(event) => {
          const types = event.dataTransfer?.types ?? [];
          if (!may('collection.write') || !(types.includes(dragType) || types.includes(collectionType))) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={dropped}
        onClick={() => navigate(`/collection/${node.id}`)}
      >
        <span
          class="twist"
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        >
          {hasChildren && <Icon name="right" />}
        </span>
        <Icon name={node.isFavourites ? 'star' : 'collections'} />
        <span class="name">{node.name}</span>
        <span class="count">{node.items > 0 ? numberText(node.items) : ''}</span>
      </div>
      {hasChildren && isOpen && <Level parent={node.id} chosen={chosen} open={open} depth={depth + 1} />}
    </li>
  );
}

function Level(props: LevelProps) {
  const [nodes, setNodes] = useState<readonly Node[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const version = changes.value;
  const [tries, setTries] = useState(0);
  useBack(failure, () => setTries(tries + 1));
  useEffect(() => {
    const reading = new AbortController();
    const show = (read: readonly Node[]) => {
      setNodes(read);
      setFailure(undefined);
    };
    level(props.parent, reading.signal).then(show, (refusal) => {
      if (!reading.signal.aborted) setFailure(refusal);
    });
    return () => reading.abort();
  }, [props.parent, version, tries]);
  if (failure !== undefined) return <RefusalNote error={failure} onAgain={() => setTries(tries + 1)} />;
  if (nodes?.length === 0 && props.parent === undefined)
    return <p class="muted">{t(has('_administrator') ? 'collections.none' : 'collections.noneShared')}</p>;
  return (
    <ul
      role={props.parent === undefined ? 'tree' : 'group'}
      aria-label={props.parent === undefined ? t('collections.tree') : undefined}
    >
      {(nodes ?? []).map((node, index) => (
        <Branch key={node.id} {...props} node={node} isFirst={index === 0 && props.parent === undefined} />
      ))}
    </ul>
  );
}

interface PlacesProps {
  /** The collection or saved search that is shown. */
  readonly chosen: string | undefined;
  /** Collections above it. */
  readonly open: readonly string[];
  /** Asks for the name of a new collection. */
  readonly onMake?: (() => void) | undefined;
}

/** Favourites, collections and saved searches: the places where items are kept. */
export function Places({ chosen, open, onMake }: PlacesProps) {
  const [isOver, setOver] = useState(false);
  const saved = useOnce((signal) => (may('library.read') ? savedSearches(signal) : Promise.resolve([])));
  return (
    <aside class="tree" aria-label={t('nav.collections')}>
      <header>
        <h2>{t('nav.collections')}</h2>
        {onMake && <IconButton icon="plus" label={t('collections.make')} onClick={onMake} />}
      </header>
      <Level parent={undefined} chosen={chosen} open={open} depth={1} />
      {chosen !== undefined && dragged.value && may('collection.write') && (
        <div
          class="out of-keys"
          data-over={isOver || undefined}
          onDragOver={(event) => {
            if (!event.dataTransfer?.types.includes(dragType)) return;
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            const ids = droppedIds(event);
            if (ids.length > 0)
              void changed(() => takeOutItems(chosen, ids), t('library.takenOut', { count: ids.length }));
          }}
        >
          {t('collections.takeOutHere')}
        </div>
      )}
      {saved && saved.length > 0 && (
        <nav aria-label={t('nav.saved')}>
          <h2>{t('nav.saved')}</h2>
          <ul>
            {saved.map(({ id, name }) => (
              <li key={id}>
                <Link to={`/saved/${id}`} class="node" aria-current={id === chosen ? 'page' : undefined}>
                  <Icon name="saved" />
                  <span class="name">{name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </aside>
  );
}
