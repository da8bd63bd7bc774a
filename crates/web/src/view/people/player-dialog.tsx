import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { InviteButton } from '../invitations/invite-button.tsx';
import { openPlayer, type OpenPlayer } from './open-player.ts';
import { RelationButton } from './relation-button.tsx';
import { ReportForm } from './report-form.tsx';
import { useFollows, useRelations } from './use-relations.ts';

/** The dialog about a player, if one is open. */
export function PlayerDialog(): JSX.Element | null {
  const open = openPlayer.value;
  return open === null ? null : <OpenDialog key={open.user.id} {...open} />;
}

/** The content of the dialog: the actions, the form of a report, or the thanks after it. */
type Step = 'actions' | 'report' | 'thanks';

function OpenDialog({ user, moment }: OpenPlayer): JSX.Element {
  const words = text.people;
  const [step, setStep] = useState<Step>('actions');
  const [result, setResult] = useState('');
  useRelations();
  useFollows();
  const close = (): void => {
    openPlayer.value = null;
  };
  return (
    <Dialog title={step === 'report' ? words.reportTitle(user.name) : user.name} onClose={close}>
      {step === 'actions' && (
        <div class="player-actions">
          {location.pathname !== `/u/${user.id}` && (
            <a class="button" href={`/u/${user.id}`} data-testid="player-page" onClick={close}>
              {words.profile}
            </a>
          )}
          {user.account === true && <RelationButton kind="follows" user={user} onDone={setResult} />}
          <InviteButton user={user} onOpen={close} />
          <RelationButton kind="mutes" user={user} onDone={setResult} />
          <RelationButton kind="blocks" user={user} onDone={setResult} />
          <button type="button" class="button" data-testid="report" onClick={() => setStep('report')}>
            {words.report}
          </button>
          <p role="status" data-testid="player-result">
            {result}
          </p>
        </div>
      )}
      {step === 'report' && <ReportForm user={user} moment={moment} onCancel={() => setStep('actions')} onSent={() => setStep('thanks')} />}
      {step === 'thanks' && (
        <>
          <p role="status" data-testid="report-thanks">
            {words.thanks}
          </p>
          <div class="buttons align-end">
            <button type="button" class="button primary" onClick={close}>
              {text.close}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
