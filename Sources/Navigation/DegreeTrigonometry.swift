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
    let sine =
        x + x * z
        * (-1.66666666666666324348e-01
            + z
            * (8.33333333332248946124e-03
                + z
                * (-1.98412698298579493134e-04
                    + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))))
    let cosine =
        1 - z / 2 + z * z
        * (4.16666666666666019037e-02
            + z
            * (-1.38888888888741095749e-03
                + z
                * (2.48015872894767294178e-05
                    + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))))
    switch turned.bitPattern & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
}
