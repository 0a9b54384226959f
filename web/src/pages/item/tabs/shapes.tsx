import type { ShapeType } from 'portico/types';
import { useState } from 'preact/hooks';
import { send } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Mark } from '../../../components/chips.tsx';
import { Empty } from '../../../components/empty.tsx';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { Icon } from '../../../components/icon.tsx';
import { toast } from '../../../components/toast.ts';
import { Bytes, Time } from '../../../components/values.tsx';
import { tagWords, typeWords } from '../../../components/words.ts';
import { durationOf } from '../../../player/frames.ts';
import { may, reaches } from '../../../rights.ts';
import { Link, setQuery } from '../../../router.tsx';
import { lengthText } from '../../../texts/clock.ts';
import { t } from '../../../texts/index.ts';
import type { DialogName } from '../../library/actions.ts';
import { dialogs } from '../../library/dialogs.tsx';
import { chosenItem, filesOf, formatOf, isArchived, type TabProps } from '../item.ts';
import { Restore } from '../nothing-yet.tsx';

/** Forms of the media: each shape with its files, and what can be made of them. */
export function ShapesTab({ item, reload }: TabProps) {
  const [dialogName, setDialogName] = useState<DialogName>();
  const [shapeToDelete, setShapeToDelete] = useState<ShapeType>();
  const shapes = item.shape ?? [];
  const canWrite = may('item.transcode') && reaches(item, 'WRITE', 'SHAPE');
  const CurrentDialog = dialogName && dialogs[dialogName];
  const remove = async ({ id }: ShapeType) => {
    await send('DELETE', `/item/${item.id}/shape/${id}`, undefined, { query: { updateMetadata: true } });
    toast(t('item.formDeleted'));
    void reload();
  };
  return (
    <div class="stack">
      <div class="row wrap">
        {canWrite && may('tag.read') && (
          <Button icon="film" onClick={() => setDialogName('transcode')}>
            {t('library.transcode')}
          </Button>
        )}
        {may('item.export') && (
          <Button icon="share" onClick={() => setDialogName('export')}>
            {t('library.export')}
          </Button>
        )}
        {(shapes.length > 1 || (shapes[0]?.essenceVersion ?? 0) > 0) && (
          <Button icon="table" onClick={() => setQuery({ compare: 'latest' })}>
            {t('item.compare')}
          </Button>
        )}
      </div>
      {shapes.length === 0 && <Empty icon="film" text={t('item.noMedia')} />}
      {shapes.map((shape) => (
        <ShapeCard
          key={shape.id}
          item={item.id ?? ''}
          shape={shape}
          canRestore={may('item.restore') && reaches(item, 'WRITE')}
          onDelete={canWrite ? () => setShapeToDelete(shape) : undefined}
        />
      ))}
      {CurrentDialog && (
        <CurrentDialog
          chosen={chosenItem(item.id ?? '')}
          size={1}
          address=""
          onClose={() => setDialogName(undefined)}
          onDone={() => {
            setDialogName(undefined);
            reload();
          }}
        />
      )}
      {shapeToDelete && (
        <FormDialog
          title={t('item.formDelete', { form: shapeToDelete.tag?.map(tagWords).join(', ') || shapeToDelete.id || '' })}
          action={t('item.delete')}
          kind="danger"
          onClose={() => setShapeToDelete(undefined)}
          work={() => remove(shapeToDelete)}
        >
          <p>{t('item.formDeleteNote')}</p>
        </FormDialog>
      )}
    </div>
  );
}

interface CardProps {
  readonly item: string;
  readonly shape: ShapeType;
  readonly canRestore: boolean;
  readonly onDelete: (() => void) | undefined;
}

function ShapeCard({ item, shape, canRestore, onDelete }: CardProps) {
  const files = filesOf(shape);
  const duration = durationOf(shape);
  const format = formatOf(shape);
  const closed = files.find(({ state }) => state === 'CLOSED');
  return (
    <section class="card shape" aria-label={shape.tag?.join(', ') || shape.id}>
      <header class="row wrap">
        {(shape.tag ?? []).map((tag) => (
          <Mark key={tag} tone={tag === 'original' ? 'live' : undefined}>
            {tagWords(tag)}
          </Mark>
        ))}
        <code class="muted">{shape.id}</code>
        <span class="grow" />
        {closed && (
          <a class="button quiet" href={`/API/item/${item}/shape/${shape.id}/data`} download={closed.path ?? ''}>
            <Icon name="download" />
            {t('item.download')}
          </a>
        )}
        {isArchived(shape) && canRestore && <Restore item={item} tag={shape.tag?.[0]} />}
        {onDelete && (
          <Button kind="quiet" icon="trash" onClick={onDelete}>
            {t('item.delete')}
          </Button>
        )}
      </header>
      <dl class="facts small">
        <dt>{t('library.tag')}</dt>
        <dd>{[shape.mimeType?.map(typeWords).join(', '), format].filter(Boolean).join(' · ') || '–'}</dd>
        {duration !== undefined && (
          <>
            <dt>{t('player.length')}</dt>
            <dd>{lengthText(duration)}</dd>
          </>
        )}
        {shape.created && (
          <>
            <dt>{t('item.created')}</dt>
            <dd>
              <Time at={shape.created} />
            </dd>
          </>
        )}
        <dt>{t('item.files', { count: files.length })}</dt>
        <dd>
          {files.length === 0 && '–'}
          {files.map((file) => (
            <div key={file.id} class="row wrap">
              <span class="mono">{file.path ?? file.id}</span>
              {file.size !== undefined && file.size >= 0 && <Bytes value={file.size} />}
              {file.state !== 'CLOSED' && <Mark tone="warn">{t(`storage.file.${file.state as 'OPEN'}`)}</Mark>}
              {file.storage && may('storage.read') && <Link to={`/storage/${file.storage}`}>{file.storage}</Link>}
            </div>
          ))}
        </dd>
      </dl>
    </section>
  );
}
