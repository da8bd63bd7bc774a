import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { VacationStatus } from '../../protocol/generated.ts';
import { httpVacationApi, type VacationApi } from '../../store/vacation-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';

/** The number of days that is offered first. */
const USUAL_DAYS = 7;

/** The user's vacation: the days that are left, and its beginning and end. */
export function VacationCard({ api = httpVacationApi }: { api?: VacationApi }): JSX.Element | null {
  const client = useClient();
  const [status, setStatus] = useState<VacationStatus | null>(null);
  const [days, setDays] = useState(USUAL_DAYS);
  const [isBusy, setBusy] = useState(false);
  const words = text.vacation;
  useEffect(() => {
    api.status().then(setStatus, (error: unknown) => client.report(error));
  }, [api, client]);
  if (status === null || status.days_per_year === 0) return null;

  const change = async (request: Promise<VacationStatus>): Promise<void> => {
    setBusy(true);
    try {
      setStatus(await request);
    } catch (error) {
      client.report(error);
    } finally {
      setBusy(false);
    }
  };
  const { current, days_left: left } = status;
  const chosen = Math.min(Math.max(days, 1), left);
  return (
    <section class="card vacation" data-testid="vacation">
      <h2>{words.title}</h2>
      <p class="quiet">{words.hint}</p>
      {current !== undefined ? (
        <>
          <p data-testid="vacation-on">{words.on(current.until_ms)}</p>
          <p class="quiet">{words.endHint}</p>
          <button type="button" class="button" disabled={isBusy} data-testid="vacation-end" onClick={() => void change(api.end())}>
            {words.end}
          </button>
        </>
      ) : left === 0 ? (
        <p>{words.noneLeft}</p>
      ) : (
        <>
          <p>{words.left(left)}</p>
          <form
            class="buttons"
            onSubmit={(event) => {
              event.preventDefault();
              void change(api.begin(chosen));
            }}
          >
            <label>
              {words.duration}{' '}
              <input
                type="number"
                min={1}
                max={left}
                value={chosen}
                data-testid="vacation-days"
                onInput={(event) => setDays(Number(event.currentTarget.value))}
              />
            </label>
            <button type="submit" class="button" disabled={isBusy} data-testid="vacation-start">
              {words.start}
            </button>
          </form>
        </>
      )}
    </section>
  );
}
