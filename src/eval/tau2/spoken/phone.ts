import type { JsonObject } from '../../../base/json/value.ts';
import { getDict, getItem } from '../../python/operate.ts';
import { repr, str } from '../../python/repr.ts';
import { isTrue, type PythonDict, type PythonValue } from '../../python/value.ts';
import { canSendPictures, deviceOf, hasMobileData, surroundingsOf, testSpeed } from '../network.ts';
import { networkModes, permissionNames } from '../phone-model.ts';
import type { World } from '../toolkit.ts';
import { oneOfSchema, type SpokenTool, textSchema } from './tool.ts';

const appName = { app_name: textSchema("The app, such as 'messaging'.") };

function reads(
  description: string,
  answer: (world: World, given: readonly PythonValue[]) => string,
  parameters: Readonly<Record<string, JsonObject>> = {},
): SpokenTool {
  return { description, parameters, answer };
}

/** A tool of which the person sees what it did, and the bar at the top of the screen. */
function shows(
  description: string,
  what: (world: World, given: readonly PythonValue[], before: PythonValue) => string,
  {
    before,
    parameters = {},
  }: Pick<SpokenTool, 'before'> & { parameters?: Readonly<Record<string, JsonObject>> } = {},
): SpokenTool {
  return {
    description,
    parameters,
    ...(before !== undefined && { before }),
    answer: (world, given, came) =>
      `${what(world, given, came.before)}\nStatus Bar: ${statusBar(deviceOf(world))}`,
  };
}

function toggles(title: string, member: string, description: string): SpokenTool {
  return shows(description, (world) => `${title} is now ${isOn(world, member) ? 'ON' : 'OFF'}.`);
}

function isOn(world: World, member: string): boolean {
  return isTrue(deviceOf(world).get(member)!);
}

/** What the customer of the carrier can do with their phone. */
export const phoneTools: Readonly<Record<string, SpokenTool>> = {
  check_status_bar: reads(
    'Shows the bar at the top of the screen: signal, mobile data, Wi-Fi, VPN and battery.',
    (world) => `Status Bar: ${statusBar(deviceOf(world))}`,
  ),
  check_network_status: reads(
    'Shows how the phone is connected: airplane mode, SIM card, signal, kind of network, mobile data, roaming and Wi-Fi.',
    networkStatus,
  ),
  check_network_mode_preference: reads(
    'Shows which kind of network the phone prefers.',
    (world) => `Network Mode Preference: ${str(deviceOf(world).get('network_mode_preference')!)}`,
  ),
  set_network_mode_preference: shows(
    'Changes which kind of network the phone prefers.',
    (_world, [mode]) =>
      networkModes.includes(str(mode!))
        ? `Preferred Network Mode set to: ${str(mode!)}`
        : `Failed to set network mode: '${str(mode!)}' is not a valid option. Please use one of: ${networkModes.join(', ')}`,
    { parameters: { mode: oneOfSchema('The kind of network.', ...networkModes) } },
  ),
  run_speed_test: reads('Measures how fast the internet connection is.', speedTest),
  toggle_airplane_mode: toggles(
    'Airplane Mode',
    'airplane_mode',
    'Turns airplane mode on or off. While it is on, nothing is connected.',
  ),
  check_sim_status: reads(
    'Shows whether the SIM card works.',
    (world) => cardWords[cardOf(deviceOf(world))]!,
  ),
  reseat_sim_card: shows(
    'Takes the SIM card out and puts it in again.',
    () => 'SIM card re-seated successfully.',
  ),
  toggle_data: toggles('Mobile Data', 'data_enabled', 'Turns mobile data on or off.'),
  toggle_roaming: toggles('Data Roaming', 'roaming_enabled', 'Turns data abroad (roaming) on or off.'),
  check_data_restriction_status: reads('Shows whether something limits the use of data.', (world) =>
    isOn(world, 'data_saver_mode') ? 'Data Saver mode is ON (limits data usage).' : 'Data Saver mode is OFF.',
  ),
  toggle_data_saver_mode: toggles(
    'Data Saver Mode',
    'data_saver_mode',
    'Turns the saving of data on or off; it makes the connection slower.',
  ),
  check_apn_settings: reads(
    "Shows the technical settings by which the phone reaches the carrier's network.",
    (world) => {
      const settings = getItem(deviceOf(world), 'active_apn_settings');
      const url = getItem(settings, 'mmsc_url');
      return `Current APN Name: ${str(getItem(settings, 'apn_name'))}\nMMSC URL (for picture messages): ${url === null || url === '' ? 'Not Set' : str(url)}\n(These are technical settings, usually best left unchanged.)`;
    },
  ),
  set_apn_settings: shows(
    "Changes the settings by which the phone reaches the carrier's network.",
    (world) =>
      `APN settings set to: ${str(getItem(getItem(deviceOf(world), 'active_apn_settings'), 'apn_name'))}`,
    {
      parameters: {
        apn_settings: {
          type: 'object',
          description: 'The settings: apn_name, mmsc_url and the like.',
          properties: { apn_name: { type: 'string' }, mmsc_url: { type: 'string' } },
        },
      },
    },
  ),
  reset_apn_settings: shows(
    'Puts those settings back as they came, at the next restart.',
    () => 'APN settings will reset at reboot.',
  ),
  check_wifi_status: reads('Shows whether Wi-Fi is on, and to what it is connected.', (world) => {
    const device = deviceOf(world);
    if (!isOn(world, 'wifi_enabled')) return 'Wi-Fi is turned OFF.';
    return isOn(world, 'wifi_connected')
      ? `Wi-Fi is ON and connected to '${str(device.get('wifi_ssid')!)}'. Signal strength: ${str(device.get('wifi_signal_strength')!)}.`
      : 'Wi-Fi is ON but not connected to any network.';
  }),
  toggle_wifi: shows('Turns Wi-Fi on or off.', (world) =>
    isOn(world, 'airplane_mode')
      ? 'Cannot change Wi-Fi settings while Airplane Mode is ON.'
      : `Wi-Fi is now ${isOn(world, 'wifi_enabled') ? 'ON' : 'OFF'}.`,
  ),
  check_wifi_calling_status: reads(
    'Shows whether calls go over Wi-Fi.',
    (world) => `Wi-Fi Calling is currently turned ${isOn(world, 'wifi_calling_enabled') ? 'ON' : 'OFF'}.`,
  ),
  toggle_wifi_calling: toggles('Wi-Fi Calling', 'wifi_calling_enabled', 'Turns calls over Wi-Fi on or off.'),
  check_vpn_status: reads('Shows whether a VPN is used, and how it is connected.', vpnStatus),
  connect_vpn: {
    ...shows('Connects to the VPN.', () => 'VPN connected successfully.'),
    before: (world) => isOn(world, 'vpn_connected'),
    answer: (world, _given, { before }) =>
      before === true
        ? 'VPN already connected.'
        : `VPN connected successfully.\nStatus Bar: ${statusBar(deviceOf(world))}`,
  },
  disconnect_vpn: shows(
    'Ends the connection to the VPN.',
    (_world, _given, before) =>
      before === true ? 'VPN disconnected successfully.' : 'No active VPN connection to disconnect.',
    { before: (world) => isOn(world, 'vpn_connected') },
  ),
  check_installed_apps: reads(
    'Lists the apps on the phone.',
    (world) =>
      `The following apps are installed on the phone: ${[...getDict(deviceOf(world), 'app_statuses').keys()].join(', ')}`,
  ),
  check_app_status: reads(
    'Shows the details of an app.',
    (world, [name]) => {
      const allowed = allowedOf(world, name!);
      if (allowed === undefined) return `App '${str(name!)}' not found on this phone.`;
      if (allowed.length === 0) return `Status for App: ${str(name!)}\n - Permissions: None granted.`;
      return [
        `Status for App: ${str(name!)}`,
        ' - Permissions Granted:',
        ...allowed.map((each) => `   - ${each}`),
      ].join('\n');
    },
    appName,
  ),
  check_app_permissions: reads(
    'Shows what an app may do.',
    (world, [name]) => {
      const allowed = allowedOf(world, name!);
      if (allowed === undefined) return `App '${str(name!)}' not found on this phone.`;
      return allowed.length === 0
        ? `App '${str(name!)}' currently has no permissions granted.`
        : `App '${str(name!)}' has permission for: ${allowed.join(', ')}.`;
    },
    appName,
  ),
  grant_app_permission: shows(
    'Allows an app something.',
    (world, [app, permission]) => {
      const wanted = str(permission!).toLowerCase();
      if (allowedOf(world, app!) === undefined)
        return `Error. App '${str(app!)}' not found. Cannot grant permission.`;
      return permissionNames.includes(wanted)
        ? `Success. Permission '${wanted}' granted to app '${str(app!)}'.`
        : `Error. Permission '${wanted}' not tracked for app '${str(app!)}', available permissions: ${repr([...permissionNames])}`;
    },
    { parameters: { ...appName, permission: textSchema(`One of ${permissionNames.join(', ')}.`) } },
  ),
  can_send_mms: reads('Shows whether the messaging app can send pictures (MMS).', (world) =>
    canSendPictures(world)
      ? 'Your messaging app can send MMS messages.'
      : 'Your messaging app cannot send MMS messages.',
  ),
  reboot_device: shows(
    'Restarts the phone.',
    (_world, _given, before) =>
      `${before === true ? 'Resetting APN settings...\n' : ''}Restarting network services...`,
    {
      before: (world) => isTrue(getItem(getItem(deviceOf(world), 'active_apn_settings'), 'reset_at_reboot')),
    },
  ),
  check_payment_request: reads('Shows whether you are asked to pay a bill.', (world) => {
    const request = getItem(surroundingsOf(world), 'payment_request');
    return request === null
      ? 'No payment request has been made.'
      : `You have a payment request for bill ${str(getItem(request, 'bill_id'))} of ${str(getItem(request, 'amount_due'))} USD.`;
  }),
  make_payment: reads('Pays the bill that you are asked to pay.', (world) => {
    const request = getItem(surroundingsOf(world), 'payment_request');
    return request === null
      ? 'You do not have a payment request.'
      : `Payment of ${str(getItem(request, 'amount_due'))} USD has been made for bill ${str(getItem(request, 'bill_id'))}.`;
  }),
};

const signals: Readonly<Record<string, string>> = {
  poor: '📶¹ Poor',
  fair: '📶² Fair',
  good: '📶³ Good',
  excellent: '📶⁴ Excellent',
};

function statusBar(device: PythonDict): string {
  const is = (name: string): boolean => isTrue(device.get(name)!);
  const technology = str(device.get('network_technology_connected')!);
  const hasNetwork = technology !== 'none';
  const parts: string[] = [];
  if (is('airplane_mode')) parts.push('✈️ Airplane Mode');
  else {
    parts.push(signals[str(device.get('network_signal_strength')!)] ?? '📵 No Signal');
    if (hasNetwork) parts.push(technology);
    if (is('data_enabled') && hasNetwork)
      parts.push('📱 Data Enabled', ...(is('data_saver_mode') ? ['🔽 Data Saver'] : []));
    else parts.push('📵 Data Disabled');
  }
  if (is('wifi_enabled') && is('wifi_connected'))
    parts.push(is('wifi_ssid') ? `📡 Connected to ${str(device.get('wifi_ssid')!)}` : '📡 Enabled');
  if (is('vpn_connected')) parts.push('🔒 VPN Connected');
  parts.push(`🔋 ${str(device.get('battery_level')!)}%`);
  return parts.join(' | ');
}

const cardWords: Readonly<Record<string, string>> = {
  active: 'Your SIM card is active and working.',
  missing: 'No SIM card detected in the phone.',
  locked_pin: 'The SIM card is locked with a PIN code.',
  locked_puk: 'The SIM card is locked with a PUK code.',
};

function cardOf(device: PythonDict): string {
  return isTrue(device.get('sim_card_missing')!) ? 'missing' : str(device.get('sim_card_status')!);
}

function networkStatus(world: World): string {
  const device = deviceOf(world);
  const value = (name: string): string => str(device.get(name)!);
  const yes = (name: string): string => (isOn(world, name) ? 'Yes' : 'No');
  return [
    `Airplane Mode: ${isOn(world, 'airplane_mode') ? 'ON' : 'OFF'}`,
    `SIM Card Status: ${cardOf(device)}`,
    `Cellular Connection: ${value('network_connection_status')}`,
    `Cellular Signal: ${value('network_signal_strength')}`,
    `Cellular Network Type: ${value('network_technology_connected')}`,
    `Mobile Data Enabled: ${yes('data_enabled')}`,
    `Data Roaming Enabled: ${yes('roaming_enabled')}`,
    `Wi-Fi Radio: ${isOn(world, 'wifi_enabled') ? 'ON' : 'OFF'}`,
    `Wi-Fi Connected: ${yes('wifi_connected')}`,
    ...(isOn(world, 'wifi_connected') ? [`Connected Wi-Fi Network: ${value('wifi_ssid')}`] : []),
  ].join('\n');
}

const advice: Readonly<Record<string, string>> = {
  'very poor': 'Connection is very slow. Basic web browsing might be difficult.',
  poor: 'Connection is slow. Web browsing may be sluggish, streaming difficult.',
  fair: 'Connection is okay for web browsing and some standard definition streaming.',
  good: 'Connection is good for most activities, including HD streaming.',
  excellent: 'Connection is very fast.',
};

function speedTest(world: World): string {
  if (!hasMobileData(world)) return 'Speed test failed: No Connection.';
  const { speed, description } = testSpeed(world);
  const title = description.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return `Speed Test Result: ${speed.toFixed(2)} Mbps (${title}). ${advice[description]}`;
}

function vpnStatus(world: World): string {
  const device = deviceOf(world);
  if (!isOn(world, 'vpn_connected'))
    return isOn(world, 'vpn_enabled_setting')
      ? 'VPN is turned ON in settings, but currently not connected.'
      : 'VPN is turned OFF.';
  const details = device.get('vpn_details')!;
  if (details === null) return 'VPN is ON and connected (no specific details available).';
  const level = str(getItem(details, 'server_performance'));
  const shown = `{'server_address': ${repr(getItem(details, 'server_address'))}, 'protocol': ${repr(getItem(details, 'protocol'))}, 'server_performance': <PerformanceLevel.${level.toUpperCase()}: '${level}'>}`;
  return `VPN is ON and connected. Details: ${shown}`;
}

function allowedOf(world: World, name: PythonValue): readonly string[] | undefined {
  const apps = getDict(deviceOf(world), 'app_statuses');
  const app = typeof name === 'string' ? apps.get(name) : undefined;
  if (app === undefined) return undefined;
  const permissions = getItem(app, 'permissions');
  return permissionNames.filter((each) => isTrue(getItem(permissions, each)));
}
