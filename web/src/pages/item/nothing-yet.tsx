import type { ItemType, JobListDocument, ShapeType } from 'portico/types';
import { mediaKind } from '../../../../src/core/lib/mime-types.ts';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { type Loaded, useEvery, useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { Bar, Bytes } from '../../components/values.tsx';
import { typeWords } from '../../components/words.ts';
import { has, may, reaches } from '../../rights.ts';
import { Link, late } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { JobFailure } from '../jobs/job-actions.tsx';
import { complaintOf, isOpen, jobData, jobName, jobPercent } from '../jobs/jobs.ts';
import { rightsOf } from '../library/narrowed.ts';
import { ownPath } from '../library/results.ts';
import type { RestoreProps } from '../restore/restore.tsx';
import { Download } from './download.tsx';
import { fieldValue, filesOf, isArchived, isClosed, originalOf } from './item.ts';
import { useNewsOf } from './news.ts';

export const Restore = late<RestoreProps>(async () => (await import('../when-asked.ts')).Restore, true);

type LastJobs = Loaded<JobListDocument>;

/** The newest jobs of an item that the person may read, with what their attempts say. */
export const useLastJobs = (id: string): LastJobs =>
  useLoad(`jobs ${id}`, (signal) =>
    get<JobListDocument>('/job', {
      query: {
        jobmetadata: `itemId=${id}`,
        user: !has('_job_read'),
        step: true,
        ...jobData,
        sort: 'jobId desc',
        number: 3,
      },
      signal,
    }),
  );

const isMedia = (type: string): boolean => mediaKind(type) !== 'document';

const kindOf = ({ mimeType: [type = ''] = [] }: ShapeType = {}) => mediaKind(type);
const isPicture = (shape: ShapeType | undefined): boolean => kindOf(shape) === 'picture';

/** Tag of the format for browsers. A picture becomes no film. */
const tagFor = (shape: ShapeType | undefined): string =>
  isPicture(shape) ? '__jpeg' : kindOf(shape) === 'sound' ? '__mp3' : '__mp4';

interface NothingYetProps {
  readonly item: ItemType;
  readonly jobs: LastJobs;
  readonly isBroken: boolean;
  readonly reload: () => void;
}

/** An item that a browser cannot show yet: what makes it so, and how far that is. */
export function NothingYet({ item, jobs, isBroken, reload }: NothingYetProps) {
  const id = item.id ?? '';
  const running = (jobs.value?.job ?? []).find(isOpen);
  const look = () => {
    if (running) reload();
    jobs.reload();
  };
  useEvery(running && 2500, look);
  useNewsOf(id, 'job/*', look);
  const failed = complaintOf(jobs.value?.job ?? []);
  const hasShape = (item.shape ?? []).length > 0;
  const original = originalOf(item);
  const file = original && filesOf(original)[0];
  // Sound and pictures are made of films, sound and pictures alone.
  const isUnread = fieldValue(item, 'mediaType') === 'none';
  const isDocument =
    hasShape && !isBroken && item.shape?.every(({ mimeType = [] }) => !mimeType.some(isMedia)) === true;
  const isPdf = original?.mimeType?.[0] === 'application/pdf';
  const isAway = original !== undefined && isArchived(original);
  const canMake =
    hasShape &&
    !isAway &&
    !isDocument &&
    me.value?.transcoder === true &&
    may('item.transcode') &&
    reaches(item, 'WRITE', 'SHAPE') &&
    !running;
  const picture = item.posters?.uri?.[0] ?? item.thumbnails?.uri?.[0];
  const why = isClosed(item)
    ? [rightsOf(item.usage?.state)[1], item.usage?.reason].filter(Boolean).join('. ')
    : isAway
      ? t('item.archived')
      : isBroken
        ? t('item.broken')
        : isDocument
          ? t(isUnread ? 'jobs.unreadable' : 'item.isDocument')
          : hasShape
            ? t(isPicture(original) ? 'item.notShown' : 'item.notPlayable')
            : t('item.noMedia');
  return (
    <div class="player">
      <div class="stage nothing">
        {picture !== undefined && <img src={ownPath(picture)} alt="" />}
        <div class="told">
          {picture === undefined && <Icon name={isDocument ? 'file' : 'film'} />}
          {isDocument && (
            <strong>
              {original?.mimeType?.map(typeWords).join(', ')} {(file?.size ?? -1) >= 0 && <Bytes value={file?.size} />}
            </strong>
          )}
          {!(isUnread && failed) && <p>{why}</p>}
          {isAway && may('item.restore') && reaches(item, 'WRITE') && <Restore item={id} />}
          {isPdf && picture === undefined && <p class="small muted">{t('item.pdfPicture')}</p>}
          {isDocument && <Download item={item} kind={isUnread ? undefined : 'main'} />}
          {failed && !running && <JobFailure job={failed} onAgain={jobs.reload} />}
          {failed && !running && may('upload') && (
            <Link to="/uploads" class="button">
              {t('item.uploadAgain')}
            </Link>
          )}
          {running && (
            <>
              <Bar value={jobPercent(running) / 100} label={t('jobs.progressOf', { job: jobName(running) })} />
              <p class="small" role="status">
                <Link to={`/job/${running.jobId}`}>{t('item.makingForm', { percent: jobPercent(running) })}</Link>
              </p>
            </>
          )}
          {canMake && (
            <Button
              kind="main"
              icon="film"
              onClick={() =>
                void act(
                  () => send('POST', `/item/${id}/transcode`, undefined, { query: { tag: tagFor(original) } }),
                  t('item.formBegun'),
                ).then(jobs.reload)
              }
            >
              {t('item.makeForm')}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
