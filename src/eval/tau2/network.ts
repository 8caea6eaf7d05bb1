import { round } from '../python/number.ts';
import { getDict, getItem } from '../python/operate.ts';
import { isTrue, type PythonDict, type PythonValue } from '../python/value.ts';
import type { World } from './toolkit.ts';

/** The phone of a world. */
export function deviceOf({ user }: World): PythonDict {
  return getDict(user, 'device');
}

/** Where the person of a world is, and what their line allows. */
export function surroundingsOf({ user }: World): PythonDict {
  return getDict(user, 'surroundings');
}

function apnOf(device: PythonDict): PythonValue {
  return getItem(device, 'active_apn_settings');
}

const preferred: Readonly<Record<string, string>> = { '3g_only': '3G', '2g_only': '2G' };

/** Looks for a network: what the phone is connected to follows from its card, settings and surroundings. */
export function searchNetwork(world: World): void {
  const device = deviceOf(world);
  const surroundings = surroundingsOf(world);
  const hasCard = !isTrue(device.get('sim_card_missing')!) && device.get('sim_card_status') === 'active';
  if (hasCard) {
    const technology = technologyFor(device, surroundings);
    connect(device, 'connected', technology, strengthOf(surroundings, technology));
  } else {
    connect(device, 'no_service', 'none', 'none');
  }
  const isOff = isTrue(device.get('airplane_mode')!) || !isTrue(surroundings.get('line_active')!);
  if (getItem(apnOf(device), 'apn_name') === 'broken' || isOff) connect(device, 'no_service', 'none', 'none');
}

function technologyFor(device: PythonDict, surroundings: PythonDict): string {
  const mode = device.get('network_mode_preference');
  if (mode === '4g_5g_preferred') return strengthOf(surroundings, '5G') === 'none' ? '4G' : '5G';
  return (typeof mode === 'string' ? preferred[mode] : undefined) ?? '4G';
}

function strengthOf(surroundings: PythonDict, technology: string): PythonValue {
  return getDict(surroundings, 'signal_strength').get(technology) ?? 'none';
}

function connect(device: PythonDict, status: string, technology: string, strength: PythonValue): void {
  device.set('network_connection_status', status);
  device.set('network_technology_connected', technology);
  device.set('network_signal_strength', strength);
}

/** Whether the phone has a mobile data connection. */
export function hasMobileData(world: World): boolean {
  const device = deviceOf(world);
  const surroundings = surroundingsOf(world);
  if (isTrue(device.get('airplane_mode')!) || device.get('network_signal_strength') === 'none') return false;
  if (device.get('network_connection_status') === 'no_service') return false;
  const isRoaming = isTrue(device.get('roaming_enabled')!) && isTrue(surroundings.get('roaming_allowed')!);
  if (isTrue(surroundings.get('is_abroad')!) && !isRoaming) return false;
  return isTrue(device.get('data_enabled')!) && !isTrue(surroundings.get('mobile_data_usage_exceeded')!);
}

/** Whether the messaging app can send pictures. */
export function canSendPictures(world: World): boolean {
  const device = deviceOf(world);
  if (!hasMobileData(world) || device.get('network_technology_connected') === '2G') return false;
  if (isTrue(device.get('wifi_calling_enabled')!) && isTrue(device.get('wifi_calling_mms_over_wifi')!))
    return false;
  if (getItem(apnOf(device), 'mmsc_url') === null) return false;
  const messaging = getDict(device, 'app_statuses').get('messaging');
  if (messaging === undefined) return false;
  const permissions = getItem(messaging, 'permissions');
  return isTrue(getItem(permissions, 'storage')) && isTrue(getItem(permissions, 'sms'));
}

/** Slowest and fastest speed by technology, in megabits a second. */
const speeds: Readonly<Record<string, readonly [number, number]>> = {
  '2G': [0.1, 0.4],
  '3G': [1, 5],
  '4G': [10, 100],
  '5G': [50, 500],
};

const strengthFactors: Readonly<Record<string, number>> = { poor: 0.2, fair: 0.5, good: 0.8, excellent: 1 };

/** What a speed test says. */
export function testSpeed(world: World): { readonly speed: number; readonly description: string } {
  if (!hasMobileData(world)) return { speed: 0, description: 'no connection' };
  const device = deviceOf(world);
  const vpn = device.get('vpn_details')!;
  const isSlowed =
    isTrue(device.get('vpn_connected')!) && vpn !== null && getItem(vpn, 'server_performance') === 'poor';
  let factor = isSlowed ? 0.1 : 1;
  if (isTrue(device.get('data_saver_mode')!)) factor *= 0.2;
  const [slowest, fastest] = speeds[String(device.get('network_technology_connected'))] ?? [0, 0];
  const strength = strengthFactors[String(device.get('network_signal_strength'))] ?? 0;
  const speed = Number(round(((slowest + fastest) / 2) * strength * factor, 2));
  return { speed, description: describe(speed) };
}

function describe(speed: number): string {
  if (speed < 1) return 'very poor';
  if (speed < 5) return 'poor';
  if (speed < 25) return 'fair';
  return speed < 100 ? 'good' : 'excellent';
}
