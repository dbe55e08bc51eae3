/// The sine and the cosine of an angle in degrees, exact at the quarter turns.
///
/// Degrees are reduced without loss to within 45 of a quarter turn; there the polynomials of fdlibm (k_sin.c and k_cos.c, Sun Microsystems 1993) are good
/// to the last place. Both together cost half of what libm takes for one.
@inline(__always)
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    // Below 2^51 adding and taking away 1.5 · 2^52 rounds to the nearest integer.
    let magic = 6_755_399_441_055_744.0
    let turned = degrees * (1.0 / 90) + magic
    let quarters = turned - magic
    let x = (degrees - quarters * 90) * (Double.pi / 180)
    let z = x * x
    let z2 = z * z
    // In pairs, which do not wait for each other.
    let sineEnd = 2.75573137070700676789e-06 + z * -2.50507602534068634195e-08 + z2 * 1.58969099521155010221e-10
    let sine =
        x + x * z * ((-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03) + z2 * (-1.98412698298579493134e-04 + z * sineEnd))
    let cosineEnd = -2.75573143513906633035e-07 + z * 2.08757232129817482790e-09 + z2 * -1.13596475577881948265e-11
    let cosine =
        1 - z / 2 + z2
        * ((4.16666666666666019037e-02 + z * -1.38888888888741095749e-03) + z2 * (2.48015872894767294178e-05 + z * cosineEnd))
    switch turned.bitPattern & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
}

/// Degrees from north, 0 up to but not including 360, of a direction that has a length: good to 1e-13.
///
/// The arc tangent is fdlibm's polynomial (s_atan.c) for up to 7/16, to which half a quarter turn reduces; libm's atan2 takes three times as long.
@inline(__always)
func degreesFromNorth(east: Double, north: Double) -> Double {
    let isNearEast = abs(east) > abs(north)
    let less = isNearEast ? abs(north) : abs(east)
    let more = isNearEast ? abs(east) : abs(north)
    let isSmall = less < more * 0.4
    let x = (isSmall ? less : less - more) / (isSmall ? more : less + more)
    let z = x * x
    let w = z * z
    let odd =
        z
        * (3.33333333333329318027e-01 + w
            * (1.42857142725034663711e-01 + w
                * (9.09088713343650656196e-02 + w
                    * (6.66107313738753120669e-02 + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))))
    let even =
        w
        * (-1.99999999998764832476e-01 + w
            * (-1.11111104054623557880e-01 + w
                * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))))
    let fromAxis = (isSmall ? 0 : 45) + (x - x * (odd + even)) * (180 / Double.pi)
    let fromMeridian = isNearEast ? 90 - fromAxis : fromAxis
    let inEast = north < 0 ? 180 - fromMeridian : fromMeridian
    // 360 less a tiny angle rounds to 360.
    return east < 0 ? (inEast > 0 && 360 - inEast < 360 ? 360 - inEast : 0) : inEast
}
