import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { choiceOfValue, botChoicesFor, storeLastBot, playsVariant, optionValue } from '../../store/bot-choices.ts';
import { createOpenInvite } from '../../store/invite-links.ts';
import type { GroupId, TableId, UserView, Variant } from '../../protocol/generated.ts';
import type { Persistence } from '../../store/persistence.ts';
import { VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useBots } from '../bots.ts';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';
import { goTo } from '../router.ts';
import { Choice, FieldError, Option, SelectField } from '../fields.tsx';
import { ClockChoice } from './clock-choice.tsx';
import { storeChoices, lastChoices } from './last-choices.ts';
import { MoreSettings } from './more-settings.tsx';
import { RatedChoice } from './rated-choice.tsx';
import { RatingRangeChoice } from './rating-range-choice.tsx';
import { ratedObstacle, withPossibleRating, withRating } from './rated-tables.ts';
import { EMPTY_SEATS, createTableRequest, mayLimitRatings, withPrivacy, withVariant, type TableChoices } from './table-choices.ts';
import { useRatedWait } from './use-rated-wait.ts';
import { messageFor, fieldProblem, type FieldProblem } from './field-problem.ts';

interface NewTableDialogProps {
  readonly title?: string;
  /** The player who is invited to the new table. The other seats are for people then. */
  readonly invited?: UserView;
  /** The group whose members play at the new table. */
  readonly group?: GroupId;
  readonly onClose: () => void;
}

/** The dialog that creates a table and opens it. */
export function NewTableDialog({ title = text.newTableDialog.title, invited, group, onClose }: NewTableDialogProps): JSX.Element {
  const client = useClient();
  const [choices, setChoices] = useState<TableChoices>(() => firstChoices(client.persistence, invited !== undefined, group !== undefined));
  const [error, setError] = useState<FieldProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const bots = useBots();
  const offeredBots = botChoicesFor(bots, choices.variant);
  /** Returns the choices for another variant. Bots that do not play it are removed. */
  const forVariant = (variant: Variant): TableChoices => {
    const kept = choices.bots !== null && playsVariant(bots, choices.bots, variant);
    return { ...withVariant(choices, variant), bots: kept ? choices.bots : null };
  };
  const set = (change: Partial<TableChoices>): void => setChoices({ ...choices, ...change });

  const user = client.user.value;
  const wait = useRatedWait();
  const possibleChoices = withPossibleRating(choices, user, wait !== null);

  /** Sends the invitation. If that fails, the table is opened all the same. */
  const invite = async (table: TableId, player: UserView): Promise<void> => {
    try {
      await client.api.invite(table, { user: player.id });
      client.notify({ kind: 'invited', names: [nameOf(player)] });
    } catch (failure) {
      client.report(failure);
    }
  };

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { table } = await client.createTable({ ...createTableRequest(possibleChoices), ...(group === undefined ? {} : { group }) });
      storeChoices(client.persistence, choices);
      if (choices.bots !== null) storeLastBot(client.persistence, choices.bots);
      // The invite is created now, so that it is ready when the table is shown. If that fails, the
      // table offers to create one.
      else if (choices.privacy === 'private' && !choices.hotseat) await createOpenInvite(client.api, table).catch(() => undefined);
      if (invited !== undefined) await invite(table, invited);
      onClose();
      goTo(`/t/${table}`);
    } catch (cause) {
      setError(fieldProblem(cause));
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <Choice legend={text.newTableDialog.variant} columns={3}>
          {VARIANTS.map((variant) => (
            <Option
              key={variant}
              group="variant"
              value={variant}
              checked={choices.variant === variant}
              onPick={() => setChoices(forVariant(variant))}
            >
              <VariantEmblem variant={variant} />
              <span>{text.variants[variant].name}</span>
              <small>{text.variants[variant].blurb}</small>
            </Option>
          ))}
        </Choice>
        <Choice legend={text.newTableDialog.seat} columns={EMPTY_SEATS[choices.variant].length === 2 ? 4 : 3}>
          <Option group="seat" value="random" checked={choices.seat === 'random'} onPick={() => set({ seat: 'random' })}>
            <span class="swatch swatch-random" data-count={EMPTY_SEATS[choices.variant].length} />
            <span>{text.newTableDialog.randomSeat}</span>
          </Option>
          {EMPTY_SEATS[choices.variant].map(({ color }) => (
            <Option key={color} group="seat" value={color} checked={choices.seat === color} onPick={() => set({ seat: color })}>
              <span class="swatch" data-color={color} />
              <span>{text.colors[color]}</span>
            </Option>
          ))}
          <Option group="seat" value="none" checked={choices.seat === null} onPick={() => set({ seat: null })}>
            <span class="swatch" />
            <span>{text.newTableDialog.noSeat}</span>
          </Option>
        </Choice>
        {invited === undefined && (
          <SelectField
            label={text.bots.otherSeats}
            name="bots"
            value={choices.bots === null ? 'none' : optionValue(choices.bots)}
            options={[
              ['none', text.bots.openToPeople],
              ...offeredBots.map((bot) => [optionValue(bot), `${text.bots.fill}: ${text.bots.choice(bot)}`] as const),
            ]}
            error={null}
            onChange={(value) => set({ bots: choiceOfValue(offeredBots, value) })}
          />
        )}
        <Choice legend={text.newTableDialog.privacy} columns={2}>
          <Option
            group="privacy"
            value="public"
            checked={choices.privacy === 'public'}
            onPick={() => setChoices(withPrivacy(choices, 'public'))}
          >
            <span>{text.newTableDialog.public}</span>
            <small>{text.newTableDialog.publicHint}</small>
          </Option>
          <Option
            group="privacy"
            value="private"
            checked={choices.privacy === 'private'}
            onPick={() => setChoices(withPrivacy(choices, 'private'))}
          >
            <span>{group === undefined ? text.newTableDialog.private : text.groups.tableOnly}</span>
            <small>{group === undefined ? text.newTableDialog.privateHint : text.groups.tableOnlyHint}</small>
          </Option>
        </Choice>
        <ClockChoice choices={choices} error={error} onChange={set} />
        <RatedChoice isRated={possibleChoices.rated} obstacle={ratedObstacle(choices, user, wait !== null)} wait={wait} error={error} onChange={(rated) => setChoices(withRating(choices, rated))} />
        {mayLimitRatings(possibleChoices) && <RatingRangeChoice choices={choices} error={error} onChange={setChoices} />}
        <MoreSettings choices={possibleChoices} error={error} onChange={set} />
        <FieldError name="table" error={messageFor(error, null)} />
        <div class="buttons align-end">
          <button type="button" class="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="create" disabled={isBusy}>
            {text.newTableDialog.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the choices with which the dialog opens: the last ones, as far as they suit its purpose. */
function firstChoices(persistence: Persistence, hasInvited: boolean, isForGroup: boolean): TableChoices {
  const last = lastChoices(persistence);
  const choices = hasInvited || isForGroup ? { ...last, bots: null, hotseat: false } : last;
  return isForGroup ? withPrivacy(choices, 'private') : choices;
}
