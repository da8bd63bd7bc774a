import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupStanding, GroupView } from '../../protocol/generated.ts';
import type { GroupsApi, Period } from '../../store/groups-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { useLoaded } from '../use-loaded.ts';
import { ShortUserName } from '../user-name.tsx';

const PERIODS: readonly Period[] = ['all', 'month'];

/** The standings of a group, of all time or of the last month. */
export function GroupStandingsSection({ api, group }: { api: GroupsApi; group: GroupView }): JSX.Element {
  const words = text.groups;
  const [period, setPeriod] = useState<Period>('all');
  const { value, error, retry } = useLoaded(async () => (await api.standings(group.group, period)).standings, `${group.group} ${period}`);
  return (
    <section class="tables" aria-labelledby="group-standings-title" data-testid="group-standings" aria-busy={value === null && error === null}>
      <h2 id="group-standings-title">{words.standings}</h2>
      <div class="chips">
        {PERIODS.map((one) => (
          <button key={one} type="button" class="chip" data-testid={`period-${one}`} aria-pressed={period === one} onClick={() => setPeriod(one)}>
            {words.periods[one]}
          </button>
        ))}
      </div>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {value?.length === 0 && <p class="empty">{words.noStandings}</p>}
      {value !== null && value.length > 0 && <StandingsTable standings={value} />}
    </section>
  );
}

function StandingsTable({ standings }: { standings: readonly GroupStanding[] }): JSX.Element {
  const words = text.groups;
  const viewer = useClient().user.value?.id;
  return (
    <>
      <table class="rating-table group-standings">
        <caption class="visually-hidden">{words.standings}</caption>
        <thead>
          <tr>
            <th scope="col" class="rank">
              {text.ratings.rank}
            </th>
            <th scope="col">{words.player}</th>
            <th scope="col" class="amount">
              {words.points}
            </th>
            <th scope="col" class="amount">
              {words.wins}
            </th>
            <th scope="col" class="amount">
              {words.matches}
            </th>
          </tr>
        </thead>
        <tbody>
          {standings.map(({ user, member, matches, wins, points }, index) => (
            <tr key={user.id} data-testid="standing" data-own={user.id === viewer}>
              <td class="rank">{text.number(index + 1)}</td>
              <th scope="row">
                <a class="ranked-name" href={`/u/${user.id}`} title={member ? undefined : words.formerMember}>
                  <ShortUserName user={user} />
                </a>
                {!member && <span class="quiet former-member">{words.formerMember}</span>}
              </th>
              <td class="amount">{text.number(points)}</td>
              <td class="amount">{text.number(wins)}</td>
              <td class="amount">{text.number(matches)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{words.pointsHint}</p>
    </>
  );
}
