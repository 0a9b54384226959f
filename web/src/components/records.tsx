import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useKeys } from '../keys.ts';
import { t } from '../texts/index.ts';
import { Button, IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Part } from './document.ts';
import { DocumentForm } from './document-form.tsx';
import { Empty, Shown } from './empty.tsx';
import { FormDialog } from './form-dialog.tsx';
import type { IconName } from './icon.tsx';
import { useLoad } from './load.ts';
import { type Column, Table } from './table.tsx';
import { toast } from './toast.ts';

interface RecordsProps<D> {
  readonly title: string;
  /** A search in the place of the title, and its text: the list is read again when that changes. */
  readonly find?: ComponentChildren;
  readonly findText?: string;
  readonly icon: IconName;
  /** Sentence why the list is empty. */
  readonly none: string;
  readonly make: string;
  /** Text above the form of a document. */
  readonly about?: string;
  readonly writable: boolean;
  readonly load: (signal: AbortSignal) => Promise<readonly D[]>;
  readonly nameOf: (document: D) => string;
  /** Rows that nobody changes. */
  readonly isFixed?: (document: D) => boolean;
  readonly columns: readonly Column<D>[];
  /** Parts of the form of a document. Undefined: of a new one. */
  readonly parts: (document: D | undefined) => readonly Part[];
  readonly blank: D;
  /** The document as it is now. */
  readonly read?: (document: D) => Promise<D>;
  readonly save: (document: D, before: D | undefined) => Promise<unknown>;
  readonly remove: (document: D) => Promise<unknown>;
}

type Open<D> = { readonly how: 'edit' | 'remove'; readonly document: D | undefined };

/** Documents of one kind in a table: each can be made, changed and removed. */
export function Records<D>(props: RecordsProps<D>) {
  const {
    title,
    find,
    findText = '',
    icon,
    none,
    make,
    about,
    writable,
    nameOf,
    isFixed,
    columns,
    parts,
    blank,
    read,
    save,
    remove,
  } = props;
  const list = useLoad(`${title} ${findText}`, props.load);
  const [open, setOpen] = useState<Open<D>>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    void list.reload();
  };
  const tools: Column<D> = {
    id: 'tools',
    title: '',
    at: 'end',
    cell: (document) =>
      !isFixed?.(document) && (
        <span class="records-tools">
          <IconButton
            icon="edit"
            label={t('records.edit', { name: nameOf(document) })}
            onClick={() => setOpen({ how: 'edit', document })}
          />
          <IconButton
            icon="trash"
            label={t('word.removeNamed', { name: nameOf(document) })}
            onClick={() => setOpen({ how: 'remove', document })}
          />
        </span>
      ),
  };
  const begin = () => setOpen({ how: 'edit', document: undefined });
  useKeys({ n: () => writable && begin() }, writable ? { n: make } : {});
  const button = writable && (
    <Button kind="main" icon="plus" onClick={begin}>
      {make}
    </Button>
  );
  const document = open?.document;
  return (
    <>
      <header class="page-head">
        {find ?? <span />}
        {button}
      </header>
      <Shown of={list}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={icon} text={none} />
          ) : (
            <Table
              label={title}
              columns={writable ? [...columns, tools] : columns}
              rows={rows}
              keyOf={(each) => JSON.stringify(each)}
            />
          )
        }
      </Shown>
      {open?.how === 'edit' && (
        <Dialog title={document ? t('records.edit', { name: nameOf(document) }) : make} onClose={close}>
          {about && <p class="muted">{about}</p>}
          <DocumentForm
            parts={parts(document)}
            value={document ?? blank}
            read={read && document && (() => read(document))}
            save={(changed) => save(changed, document)}
            onSaved={(unsaved) => {
              toast(t('word.saved'));
              if (unsaved === undefined) return done();
              setOpen({ how: 'edit', document: unsaved });
              void list.reload();
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {open?.how === 'remove' && document && (
        <FormDialog
          title={t('word.removeNamed', { name: nameOf(document) })}
          action={t('records.remove')}
          kind="danger"
          onClose={close}
          work={async () => {
            await remove(document);
            toast(t('records.removed'));
            void list.reload();
          }}
        >
          <p>{t('records.sure')}</p>
        </FormDialog>
      )}
    </>
  );
}
